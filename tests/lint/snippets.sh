#!/usr/bin/env bash
# snippets.sh - the functions in the documentation compile without a warning, and a wrong one is found
#
# Run in the source folder. Checks the blocks of C in README.md and docs/ that define something, which have a line "}".
# The others are single statements. Blocks for clsort-mpi are left out if mpicc is missing.
set -euo pipefail

python3 -c '' 2>/dev/null || { echo "skipped: no python3 here" && exit 77; }
command -v cc >/dev/null || { echo "skipped: no cc here" && exit 77; }

check() {
    python3 - "$1" <<'EOF'
import glob, os, re, shutil, subprocess, sys

OPTIONS = "-std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Iinclude -x c -".split()

def compiles(page, line, code):
    """Compiles a block that starts in this line of the page."""
    compiler = "mpicc" if "clsort_mpi.h" in code else "cc"
    if not shutil.which(compiler):
        return True
    header = "" if "#include <clsort" in code else "#include <clsort.h>\n"
    text = f'{header}#line {line} "{page}"\n{code}'
    return subprocess.run([compiler, *OPTIONS], input=text, text=True).returncode == 0

blocks, wrong = 0, 0
for path in sorted(["README.md", *glob.glob("docs/*.md")]):
    with open(os.path.join(sys.argv[1], path), encoding="utf-8") as file:
        text = file.read()
    for match in re.finditer(r"(?ms)^```c\n(.*?)^```$", text):
        if re.search(r"(?m)^}", match[1]):
            blocks += 1
            wrong += not compiles(path, text[: match.start()].count("\n") + 2, match[1])
if blocks < 25:
    sys.exit(f"snippets.sh: found only {blocks} snippets")
sys.exit(wrong > 0)
EOF
}

check .

# A copy in which a snippet has an error
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r README.md docs "$copy"
sed -i 's/desc\.record_size = /desc.record_sizes = /' "$copy/docs/columns.md"
if check "$copy" 2>"$copy/found"; then
    echo "snippets.sh: a wrong snippet was not found" >&2
    exit 1
fi
grep -q '^docs/columns.md:.*record_sizes' "$copy/found"
