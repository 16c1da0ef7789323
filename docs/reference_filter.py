"""reference_filter.py - prints a Markdown file with links as Doxygen understands them: reference_filter.py FILE

Headings get labels, links to headings become links to these labels, and links to files that are not part of the
reference become plain text.
"""

import os
import re
import sys

PAGES = ("reference", "guide", "operations", "custom-orders", "threads", "performance", "tools", "large-files", "clsort-mpi",
         "clsort-gen", "clsort-tune", "clsort-bench", "troubleshooting", "compatibility")

page = os.path.basename(sys.argv[1]).removesuffix(".md")
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()


def heading(match):
    name = re.sub(r"[^\w\- ]", "", match[2].lower()).replace(" ", "-")
    return f"{match[0]} {{#{page}-{name}}}"


def link(match):
    path, _, name = match[2].partition("#")
    target = path.removesuffix(".md") or page
    if re.match("https?:", match[2]):
        return match[0]
    if target not in PAGES:
        return match[1]
    return f"[{match[1]}](#{target}-{name})" if name else f"[{match[1]}]({path})"


text = re.sub(r"(?m)^(##+) (.*)$", heading, text)
print(re.sub(r"\[([^]]*)\]\(([^)\s]+)\)", link, text), end="")
