"""figure_scaling.py - the tables and the chart of sorts over MPI ranks, for figures.py"""

import hashlib
import json

from figure_formats import Results, digits, table, times

PHASES = ("sort", "search", "exchange", "merge")


class Scaling(Results):
    """The results of scripts/scaling.sh in FOLDER/scaling.jsonl, below the root of the project."""

    def __init__(self, root, folder):
        super().__init__(root, folder, "scaling.jsonl")

    def of(self, kind, network):
        return {row["ranks"]: row for row in self.rows if (row["kind"], row["network"]) == (kind, network)}

    def errors(self):
        """Measured and predicted exchanges and searches on small networks."""
        measured, predicted = (self.of(kind, "20 Mbit/s") for kind in ("measured", "predicted"))
        rows = []
        for ranks, row in measured.items():
            other = predicted[ranks]
            error = other["exchange_s"] / row["exchange_s"] - 1
            seconds = [part[name + "_s"] * 1e3 for name in ("exchange", "search") for part in (row, other)]
            rows.append([str(ranks), *map(digits, seconds[:2]), f"{100 * error:+.0f} %", *map(digits, seconds[2:])])
        head = ["nodes", "exchange, ms", "predicted, ms", "error", "search, ms", "predicted, ms"]
        return table(head, rows)

    def efficiency(self, ranks):
        rows = self.of("predicted", "100 Gbit/s")
        return rows[min(rows)]["total_s"] / rows[ranks]["total_s"]

    def phases(self):
        """Where the time goes, by the number of nodes."""
        rows = []
        for ranks, row in self.of("predicted", "100 Gbit/s").items():
            seconds = [row[f"{phase}_s"] for phase in PHASES]
            cells = [digits(value * 1e3) for value in [*seconds, row["total_s"]]]
            rows.append([str(ranks), *cells, times(self.efficiency(ranks))])
        return table(["nodes", *(f"{phase}, ms" for phase in PHASES), "total, ms", "efficiency"], rows)

    def charts(self):
        """Returns the data of the chart: the efficiency, and the shares of the time."""
        predicted = self.of("predicted", "100 Gbit/s")
        efficiency = [[f"{ranks} nodes", "all", self.efficiency(ranks)] for ranks in predicted]
        shares = [
            [f"{ranks} nodes", phase, row[f"{phase}_s"] / row["total_s"]]
            for ranks, row in predicted.items()
            for phase in PHASES
        ]
        heading = [
            "Simulated sorts over MPI ranks: 2^24 u64 keys on each node",
            f"fat-tree of 100 Gbit/s; simulated on {self.date()}",
        ]
        panels = [["time on 16 nodes / time", efficiency], ["share of the time", shares]]
        data = {"heading": heading, "panels": panels}
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return [{"name": "scaling", "hash": hashlib.sha256(text.encode()).hexdigest(), **data}]
