"""charts.py - draws charts of the results of clsort-bench: charts.py RESULTS FOLDER [PREFIX]

RESULTS is a file of JSON lines of clsort-bench and numpy_sort.py. For each kind of sort, the script writes
FOLDER/NAME.svg (time, and speed relative to CUB or std::sort, against the number of elements) and
FOLDER/NAME-distributions.svg (rates of all distributions). With PREFIX, the files are FOLDER/PREFIX-NAME.svg.
"""

import json
import os
import sys

import matplotlib

matplotlib.use("SVG")
# Text as text keeps the files small. A fixed salt makes the output reproducible.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "clsort", "font.size": 9})

from matplotlib import pyplot, ticker  # noqa: E402 (after the settings)

# Colour and marker of each contestant, the same in all charts.
STYLES = {
    "clsort": ("#d62728", "o"),
    "clsort_host": ("#d62728", "o"),
    "cub": ("#000000", "d"),
    "Boost.Compute": ("#ff7f0e", "s"),
    "tbb::parallel_sort": ("#9467bd", "^"),
    "block_indirect_sort": ("#8c564b", "v"),
    "vqsort": ("#2ca02c", "D"),
    "np.sort": ("#17becf", "P"),
    "spreadsort": ("#bcbd22", "X"),
    "std::sort": ("#1f77b4", "o"),
    "std::stable_sort": ("#1f77b4", "s"),
    "qsort": ("#7f7f7f", "o"),
}
BASES = ("cub", "std::sort", "qsort", "std::stable_sort")
# Styles of clsort with a requested algorithm.
ALGORITHMS = {"radix": ("#e377c2", "x"), "hybrid": ("#17becf", "+"), "onesweep": ("#ff9896", "*")}
OTHER_ALGORITHM = ("#c49c94", "1")


def read(path):
    """Returns the description of the machine, and the results."""
    facts, results = {"peers": {}}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            if "machine" in item:
                # The first description counts; the peers of all are collected.
                peers = {**facts["peers"], **item["machine"].pop("peers")}
                facts = {**item["machine"], **facts, "peers": peers}
            elif item["verified"]:
                results.append(item)
            else:
                print(f"charts.py: left out, because the result is wrong: {line.strip()}", file=sys.stderr)
    return facts, results


def runs_on(result):
    return result["device"] if result["device"] in ("one core", "all cores") else "device"


def requested(result):
    """Returns the requested algorithm of clsort, None if clsort chose it."""
    return None if result.get("asked") in (None, "auto") else result["asked"]


def label(result):
    if requested(result):
        return f"{result['who']} by {requested(result)}"
    if result["who"] == "clsort_host":  # it chooses between host and device
        return result["who"]
    return f"{result['who']} ({runs_on(result)})"


def style(result):
    colour, marker = STYLES[result["who"]]
    if requested(result):
        colour, marker = ALGORITHMS.get(requested(result).partition(":")[0], OTHER_ALGORITHM)
    return {
        "color": colour,
        "marker": marker,
        "markersize": 4,
        "linewidth": 2 if label(result).startswith("clsort (") else 1,
    }


def heading(title, facts):
    device = f"{facts['device']}, driver {facts['driver']}; {facts['date'][:10]}"
    return f"{title}\n{device}\nclsort {facts['clsort']}; {facts['cpu']}, {facts['cores']} cores"


def save(figure, folder, name, title, facts):
    figure.suptitle(heading(title, facts), fontsize=9)
    figure.tight_layout()
    figure.savefig(os.path.join(folder, f"{name}.svg"), metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def finish_axes(axes, title):
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_xlabel("elements")
    axes.set_title(title, fontsize=9)
    axes.grid(True, linewidth=0.3)


def add_legend(axes, anchor):
    """Adds the legend to the right of the axes anchor, where it hides no lines."""
    lines, labels = axes.get_legend_handles_labels()
    anchor.legend(lines, labels, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def first_of(results, key):
    """Returns the first result of each key, since some contestants were measured several times."""
    found = {}
    for result in results:
        found.setdefault(key(result), result)
    return list(found.values())


def draw_sizes(name, title, results, facts, folder):
    results = first_of(results, lambda result: (label(result), result["n"]))
    lines = {}
    for result in results:
        lines.setdefault(label(result), []).append(result)
    for line in lines.values():
        line.sort(key=lambda result: result["n"])
    measured = {result["who"] for result in results}
    base = next((who for who in BASES if who in measured), results[0]["who"])
    base_s = {result["n"]: result["median_s"] for result in results if result["who"] == base}

    figure, (times, ratios) = pyplot.subplots(1, 2, figsize=(11, 4.5))
    has_clock = False
    for text, line in lines.items():
        line_style = style(line[0])
        times.plot([result["n"] for result in line], [result["median_s"] for result in line], label=text, **line_style)
        clocked = [result for result in line if "device_median_s" in result]
        if clocked:
            times.plot(
                [result["n"] for result in clocked],
                [result["device_median_s"] for result in clocked],
                label=None if has_clock else "by the device's clock",
                color=line_style["color"],
                linestyle=":",
                linewidth=0.9,
            )
            has_clock = True
        # The roofline: the time that the cost model allows at the speed of copies.
        bounded = [result for result in line if "model_fraction" in result]
        if bounded:
            times.plot(
                [result["n"] for result in bounded],
                [result["median_s"] * result["model_fraction"] for result in bounded],
                label=f"roofline of {line[0]['who']}",
                color=line_style["color"],
                linestyle="--",
                linewidth=0.7,
            )
        line = [result for result in line if result["n"] in base_s]
        ratios.plot(
            [result["n"] for result in line], [base_s[result["n"]] / result["median_s"] for result in line], **line_style
        )
    finish_axes(times, "seconds per sort (median)")
    finish_axes(ratios, f"times as fast as {base}")
    wide_range = (1, 2, 5)
    low, high = ratios.get_ylim()
    ratios.yaxis.set_major_locator(ticker.LogLocator(subs=wide_range if high > 10 * low else range(1, 10)))
    ratios.yaxis.set_major_formatter("{x:g}")
    add_legend(times, ratios)
    save(figure, folder, name, title, facts)


def draw_distributions(name, title, results, facts, folder):
    dists = list(dict.fromkeys(result["dist"] for result in results))
    whos = list(dict.fromkeys(result["who"] for result in results))
    figure, axes = pyplot.subplots(figsize=(9, 1.6 + 0.3 * len(dists)))
    for who in whos:
        rows = [result for result in results if result["who"] == who]
        axes.plot(
            [result["mkeys_s"] for result in rows],
            [dists.index(result["dist"]) for result in rows],
            label=label(rows[0]),
            linestyle="none",
            **style(rows[0]),
        )
    axes.set_yticks(range(len(dists)), dists)
    axes.set_ylim(len(dists) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.set_xlabel("million keys per second (median)")
    axes.grid(True, linewidth=0.3)
    add_legend(axes, axes)
    save(figure, folder, f"{name}-distributions", f"{title}, {results[0]['n']} of each distribution", facts)


def sort_of(result):
    """Returns the name and the title of the chart of a result."""
    name, title = result["type"], f"{result['type']} keys"
    if result["op"] == "pairs":
        name += f"-pairs-{result['value_size']}"
        title = f"pairs of {result['type']} keys and values of {result['value_size']} bytes"
    elif result["op"] == "custom":
        name += "-custom"
        title += " in a custom order"
    if result.get("unstable"):
        name += "-unstable"
        title += ", unstable"
    if result["host"]:
        return name + "-host", title + ", host arrays"
    return name, title


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: charts.py RESULTS FOLDER [PREFIX]")
    facts, results = read(sys.argv[1])
    folder = sys.argv[2]
    prefix = f"{sys.argv[3]}-" if len(sys.argv) == 4 else ""
    charts = {}
    for result in results:
        name, title = sort_of(result)
        charts.setdefault((prefix + name, title), []).append(result)
    for (name, title), rows in charts.items():
        uniform = [row for row in rows if row["dist"] == "uniform"]
        if uniform:
            draw_sizes(name, title + ", uniform", uniform, facts, folder)
        others = [row for row in rows if row["dist"] != "uniform"]
        if others:
            # Adds uniform keys with the same number of elements and the same contestants.
            count = max(row["n"] for row in others)
            whos = {row["who"] for row in others}
            like = [row for row in rows if row["n"] == count and row["who"] in whos and not requested(row)]
            like = first_of(like, lambda row: (row["who"], row["dist"]))
            draw_distributions(name, title, like, facts, folder)


if __name__ == "__main__":
    main()
