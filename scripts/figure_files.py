"""figure_files.py - the table and the chart of sorts of files, for figures.py"""

import hashlib
import json

from figure_formats import Results, table, times


PROGRAMS = ("GNU sort", "DuckDB")


class Files(Results):
    """The results of scripts/bench-files.sh in FOLDER/files.jsonl, below the root of the project."""

    def __init__(self, root, folder):
        super().__init__(root, folder, "files.jsonl")

    def table(self):
        """The time of each sort, and that of its peer divided by it."""
        cells = [
            [row["case"], f"{row['sort_s']:.1f} s", row["peer"], times(row["peer_s"] / row["sort_s"])] for row in self.rows
        ]
        return table(["file", "clsort", "compared with", "ratio"], cells)

    def charts(self):
        """Returns the data of the chart: copies in one panel, and other programs in the other one."""
        bars = [[row["case"], row["peer"], row["peer_s"] / row["sort_s"]] for row in self.rows]
        heading = [
            "Sorts of files that are larger than the memory limit",
            f"{self.facts['cpu']}, {self.facts['cores']} cores; measured on {self.date()}",
        ]
        titles = ["time of reads and writes of the same bytes / time of clsort", "time of the program / time of clsort"]
        panels = [[bar for bar in bars if (bar[1] not in PROGRAMS) == is_copy] for is_copy in (True, False)]
        data = {"heading": heading, "panels": list(zip(titles, panels))}
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return [{"name": "files", "hash": hashlib.sha256(text.encode()).hexdigest(), **data}]
