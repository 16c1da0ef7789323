"""figure_scaling.py - the tables and the chart of sorts over MPI ranks, for figures.py"""

import hashlib
import json
import math

from figure_formats import Results, digits, table, times

PHASES = ("sort", "search", "exchange", "merge")
CLUSTER = "100 Gbit/s"
EXCHANGES, SEARCHES = "20 Mbit/s", "200 ms"  # the networks on which these were measured
COUNT = 1 << 24  # keys of a node in the table of phases


def comparison(measured, predicted):
    """Cells of a measured and a predicted time, and of the error."""
    return [digits(measured), digits(predicted), f"{round(100 * (predicted / measured - 1)):+d} %"]


class Scaling(Results):
    """The results of scripts/scaling.sh in FOLDER/scaling.jsonl, below the root of the project."""

    def __init__(self, root, folder):
        super().__init__(root, folder, "scaling.jsonl")
        self.in_levels = {
            (row["ranks"], row["count"], row["levels"]): row for row in self.rows if row["network"] == CLUSTER
        }

    def of(self, kind, network):
        return {row["ranks"]: row for row in self.rows if (row["kind"], row["network"]) == (kind, network)}

    def errors(self):
        """Measured and predicted exchanges and searches on small networks."""
        rows = []
        for ranks in self.of("measured", EXCHANGES):
            cells = [str(ranks)]
            for network, phase, unit in ((EXCHANGES, "exchange", 1e3), (SEARCHES, "search", 1)):
                both = [self.of(kind, network)[ranks] for kind in ("measured", "predicted")]
                cells += comparison(*(row[phase + "_s"] * unit for row in both))
            rows.append(cells)
        names = ("exchange, ms", "predicted, ms", "error", "search, s", "predicted, s", "error")
        return table(["nodes", *names], rows)

    def one_level(self):
        """The predicted times of the table of phases, by the number of nodes."""
        return {
            ranks: row for (ranks, count, levels), row in sorted(self.in_levels.items()) if (count, levels) == (COUNT, 1)
        }

    def efficiency(self, ranks):
        rows = self.one_level()
        return rows[min(rows)]["total_s"] / rows[ranks]["total_s"]

    def phases(self):
        """Where the time goes, by the number of nodes."""
        rows = []
        for ranks, row in self.one_level().items():
            seconds = [row[f"{phase}_s"] for phase in PHASES]
            cells = [digits(value * 1e3) for value in [*seconds, row["total_s"]]]
            rows.append([str(ranks), *cells, times(self.efficiency(ranks))])
        return table(["nodes", *(f"{phase}, ms" for phase in PHASES), "total, ms", "efficiency"], rows)

    def pairs(self):
        """Predicted times of one and of two levels: (ranks, keys of a node, row, row)."""
        keys = sorted((ranks, count) for ranks, count, levels in self.in_levels if levels == 2)
        return [(*key, *(self.in_levels[(*key, levels)] for levels in (1, 2))) for key in keys]

    def levels(self):
        """Exchanges in one and in two levels."""
        rows = []
        for ranks, count, *both in self.pairs():
            seconds = [row[name + "_s"] for row in both for name in ("search", "exchange", "total")]
            ratio = both[0]["total_s"] / both[1]["total_s"]
            cells = [digits(value * 1e3) for value in seconds]
            rows.append([str(ranks), f"2^{int(math.log2(count))}", *cells, times(ratio)])
        names = ("search, ms", "exchange, ms", "total, ms")
        return table(["nodes", "keys per node", *names, *(f"two levels: {name}" for name in names), "one / two"], rows)

    def crossings(self):
        """The number of keys per node at which both take the same time, from the two nearest numbers of keys."""
        rows, last = [], None
        for ranks, count, one, two in self.pairs():
            ratio = math.log(one["total_s"] / two["total_s"])
            if last and last[0] == ranks and last[2] > 0 >= ratio:
                part = last[2] / (last[2] - ratio)
                log = math.log2(last[1]) * (1 - part) + math.log2(count) * part
                rows.append([str(ranks), f"2^{log:.1f}"])
            last = (ranks, count, ratio)
        return table(["nodes", "keys per node"], rows)

    def charts(self):
        """Returns the data of the chart: the efficiency, the shares of the time, and two levels."""
        predicted = self.one_level()
        efficiency = [[f"{ranks} nodes", "all", self.efficiency(ranks)] for ranks in predicted]
        shares = [
            [f"{ranks} nodes", phase, row[f"{phase}_s"] / row["total_s"]]
            for ranks, row in predicted.items()
            for phase in PHASES
        ]
        ratios = [
            [f"{ranks} nodes", f"2^{int(math.log2(count))} keys", one["total_s"] / two["total_s"]]
            for ranks, count, one, two in self.pairs()
        ]
        heading = [
            "Simulated sorts of u64 keys over MPI ranks (2^24 on each node, if no number is given)",
            f"fat-tree of 100 Gbit/s; simulated on {self.date()}",
        ]
        panels = [
            ["time on 16 nodes / time", efficiency],
            ["share of the time", shares],
            ["time in one level / time in two levels", ratios],
        ]
        data = {"heading": heading, "panels": panels}
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return [{"name": "scaling", "hash": hashlib.sha256(text.encode()).hexdigest(), **data}]
