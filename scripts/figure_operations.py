"""figure_operations.py - tables of merges and of sorts without scratch memory, for figures.py"""

import os

import charts
from figure_formats import duration, table, times

# (title, type and size of the values in the results)
MERGES = (("u32 keys", "u32", 0), ("u64 keys", "u64", 0), ("u32 + u32", "u32", 4), ("u64 + 16 bytes", "u64", 16))
SORTS = (
    ("u32 keys", "u32", 0),
    ("f32 keys", "f32", 0),
    ("u64 keys", "u64", 0),
    ("u32 + u32", "u32", 4),
    ("u64 + u64", "u64", 8),
)


def cell(own, peer):
    """The time of clsort, and the time of the peer divided by it."""
    return f"{duration(own)}; {times(peer / own)}" if own and peer else ""


class Operations:
    """The results of one device in FOLDER/merge.jsonl and FOLDER/no-scratch.jsonl."""

    def __init__(self, folder):
        parts = [charts.read(os.path.join(folder, f"{name}.jsonl")) for name in ("merge", "no-scratch")]
        self.facts = parts[0][0]
        self.rows = charts.first_by([row for _, results in parts for row in results], self.key)

    @staticmethod
    def key(row):
        elements = (row["type"], row["value_size"], row["n"])
        return (row["who"], *elements, row.get("second"), row["dist"])

    def seconds(self, *key):
        row = self.rows.get(key)
        return row and row["median_s"]

    def date(self):
        return self.facts["date"][:10]

    def copy_speeds(self):
        """Returns the lowest and the highest speed of copies in GB/s."""
        speeds = [row["copy_gb_s"] for row in self.rows.values() if row.get("copy_gb_s")]
        return min(speeds), max(speeds)

    def merge_table(self, powers):
        """Merges next to std::merge, by the numbers of elements of both inputs."""
        rows = []
        for title, *elements in MERGES:
            for power in powers:
                n = 1 << power
                cases = [(*elements, n, second, "uniform") for second in (1, 1000, n // 16, n)]
                cells = [cell(self.seconds("clsort", *case), self.seconds("std::merge", *case)) for case in cases]
                rows.append([title, f"2^{power}", *cells])
        return table(["elements", "n", "1 element", "1000 elements", "n / 16 elements", "n elements"], rows)

    def no_scratch_table(self, powers):
        """Sorts without scratch memory next to std::sort."""
        rows = []
        for title, *elements in SORTS:
            for dist in ("uniform", "sorted", "few"):
                cases = [(*elements, 1 << power, None, dist) for power in powers]
                cells = [cell(self.seconds("clsort", *case), self.seconds("std::sort", *case)) for case in cases]
                rows.append([title, dist, *cells])
        return table(["elements", "keys", *(f"2^{power}" for power in powers)], rows)
