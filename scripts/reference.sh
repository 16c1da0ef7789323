#!/usr/bin/env bash
# reference.sh - builds the API reference and fails on symbols without a comment: reference.sh FOLDER [STYLE SHEET]
#
# The pages are in FOLDER/html. The style sheet is doxygen-awesome.css.
set -euo pipefail

folder=${1:?usage: reference.sh FOLDER [STYLE SHEET]}
mkdir -p "$folder"
CLSORT_DOCS=$(cd "$folder" && pwd)
CLSORT_DOCS_STYLE=${2:-}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
CLSORT_VERSION=$(sed -n 's/.*define CLSORT_VERSION_STRING "\(.*\)"/\1/p' include/clsort.h)
export CLSORT_DOCS CLSORT_DOCS_STYLE CLSORT_VERSION
doxygen docs/Doxyfile

# Doxygen reports all symbols without a comment except values of enumerations.
python3 - "$CLSORT_DOCS/xml/clsort_8h.xml" <<'EOF'
import sys
import xml.etree.ElementTree as tree

failed = 0
for value in tree.parse(sys.argv[1]).iter("enumvalue"):
    texts = [value.find("briefdescription"), value.find("detaileddescription")]
    if not "".join(part for text in texts for part in text.itertext()).strip():
        print(f"{value.findtext('name')} (value of an enumeration) is not documented", file=sys.stderr)
        failed = 1
sys.exit(failed)
EOF
