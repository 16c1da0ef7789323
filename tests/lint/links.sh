#!/usr/bin/env bash
# links.sh - links in Markdown files lead to files and headings that exist, and a wrong link is found
#
# Run in the source folder. Links to other sites are not checked.
set -euo pipefail

python3 -c '' 2>/dev/null || { echo "skipped: no python3 here" && exit 77; }

check() {
    python3 - "$1" <<'EOF'
import os, re, sys

def text_of(path):
    """Returns the text without blocks of code, which have no links and no headings."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"(?ms)^ *```.*?^ *```$", "", file.read())

def headings(path):
    """Returns the anchors that GitHub gives to the headings of a file."""
    found = {}
    for title in re.findall(r"(?m)^#+ +(.*?) *$", text_of(path)):
        title = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {f"{a}-{i}" if i else a for a, last in found.items() for i in range(last + 1)}

root, wrong = sys.argv[1], 0
files = [f for f in os.listdir(root) if f.endswith(".md")]
files += [os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(os.path.join(root, "docs"))
          for f in fs if f.endswith(".md")]
for name in sorted(files):
    text = re.sub(r"`[^`\n]*`", "", text_of(os.path.join(root, name)))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = os.path.join(root, os.path.dirname(name), path) if path else os.path.join(root, name)
        if not os.path.exists(target):
            reason = "there is no such file"
        elif anchor and anchor not in headings(target):
            reason = "there is no such heading"
        else:
            continue
        print(f"{name}: ({link}): {reason}")
        wrong = 1
sys.exit(wrong)
EOF
}
check .

# A copy in which one file and one heading are missing
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cat >"$copy/page.md" <<'EOF'
# A heading

[a](#a-heading) [b](absent.md) [c](#absent) `[d](code.md)`
EOF
if check "$copy" >"$copy/found"; then
    echo "links.sh: wrong links were not found" >&2
    exit 1
fi
printf 'page.md: (absent.md): there is no such file\npage.md: (#absent): there is no such heading\n' |
    diff - "$copy/found"
