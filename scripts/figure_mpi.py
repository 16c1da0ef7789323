"""figure_mpi.py - the table of measured sorts over MPI ranks, for figures.py"""

from figure_formats import Results, duration, table, times

OWN, FLOOR, PEER = "clsort_mpi_host", "sort-alltoallv-copy", "MP-sort"


def name(mpi):
    """The name and the version of an MPI implementation, as texts write them."""
    return mpi.replace(" Version:", "").replace(" v", " ")


class Ranks(Results):
    """The results of scripts/bench-mpi.sh in FOLDER/mpi.jsonl, below the root of the project."""

    def __init__(self, root, folder):
        super().__init__(root, folder, "mpi.jsonl")
        self.by_key = {(row["mpi"], row["dist"], row["who"]): row for row in self.rows}

    def ratio(self, mpi, dist, who):
        """The time of a peer divided by that of clsort."""
        return self.by_key[mpi, dist, who]["median_s"] / self.by_key[mpi, dist, OWN]["median_s"]

    def to_uniform(self, mpi, dist):
        """The time of clsort for uniform keys, divided by that for others."""
        return self.by_key[mpi, "uniform", OWN]["median_s"] / self.by_key[mpi, dist, OWN]["median_s"]

    def table(self):
        """The times of clsort and those of the peers divided by them, and what leaves a rank."""
        rows = []
        for (mpi, dist, who), row in self.by_key.items():
            if who != OWN:
                continue
            sent = row["max_sent_bytes"] / (row["n"] * int(row["type"][1:]) / 8)
            cells = [times(self.ratio(mpi, dist, peer)) for peer in (FLOOR, PEER)]
            rows.append(
                [name(mpi), dist, duration(row["median_s"]), *cells, times(self.to_uniform(mpi, dist)), f"{sent:.2f}"]
            )
        head = ["MPI", "keys", "clsort", f"`{FLOOR}`", f"`{PEER}`", "to uniform keys", "bytes sent"]
        return table(head, rows)

    def versions(self):
        return " and ".join(dict.fromkeys(name(row["mpi"]) for row in self.rows))


class Group(Results):
    """The results of clsort-bench --host --sub-devices 2 in FOLDER/group.jsonl, below the root of the project."""

    def __init__(self, root, folder):
        super().__init__(root, folder, "group.jsonl")

    def ratios(self):
        """The time of the device divided by that of the group, by the number of keys."""
        seconds = {(row["n"], row["who"]): row["median_s"] for row in self.rows}
        return {n: seconds[n, "clsort_host"] / own for (n, who), own in seconds.items() if who == "clsort_group_host"}

    def speed(self):
        """The lowest and the highest ratio."""
        ratios = self.ratios().values()
        return f"{min(ratios):.2f} to {max(ratios):.2f}"

    def table(self):
        """The times of the device and of the group, and the ratio."""
        rows = []
        for n, ratio in self.ratios().items():
            cells = [row["median_s"] for row in self.rows if row["n"] == n]
            rows.append([f"2^{n.bit_length() - 1}", *map(duration, cells), f"{ratio:.2f}"])
        return table(["u64 keys", "device", "group", "speed of the group / speed of the device"], rows)
