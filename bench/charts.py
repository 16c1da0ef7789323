"""charts.py - draws what clsort-bench measured: charts.py RESULTS FOLDER [PREFIX]

RESULTS is a file of its JSON lines, and of numpy_sort.py's. Makes FOLDER/NAME.svg for each kind of sort (time against
number of elements, and how many times as fast as CUB or std::sort), and FOLDER/NAME-distributions.svg for uniform keys
beside others. With a prefix, they are FOLDER/PREFIX-NAME.svg.
"""

import json
import os
import sys

import matplotlib

matplotlib.use("SVG")
# Text as text keeps files small, and the same results give the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "clsort", "font.size": 9})

from matplotlib import pyplot, ticker  # noqa: E402 (they are to see the settings)

# Who is who: colour and marker are the same in every chart.
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
# Of clsort where it was asked for an algorithm; the others share the last.
ALGORITHMS = {"radix": ("#e377c2", "x"), "hybrid": ("#17becf", "+"), "onesweep": ("#ff9896", "*")}
OTHER_ALGORITHM = ("#c49c94", "1")


def read(path):
    """The facts of the machine, and the results."""
    facts, results = {"peers": {}}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            if "machine" in item:
                # What one says later of the same thing is as good; peers are collected.
                peers = {**facts["peers"], **item["machine"].pop("peers")}
                facts = {**item["machine"], **facts, "peers": peers}
            elif item["verified"]:
                results.append(item)
            else:
                print(f"charts.py: left out, since it is wrong: {line.strip()}", file=sys.stderr)
    return facts, results


def place(result):
    return result["device"] if result["device"] in ("one core", "all cores") else "device"


def asked(result):
    """The algorithm that clsort was asked for, None where it chose itself."""
    return None if result.get("asked") in (None, "auto") else result["asked"]


def label(result):
    if asked(result):
        return f"{result['who']} by {asked(result)}"
    if result["who"] == "clsort_host":  # chooses between host and device itself
        return result["who"]
    return f"{result['who']} ({place(result)})"


def style(result):
    colour, marker = STYLES[result["who"]]
    if asked(result):
        colour, marker = ALGORITHMS.get(asked(result).partition(":")[0], OTHER_ALGORITHM)
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


def add_legend(axes, beside):
    """Beside the axes, since within them it would hide lines."""
    lines, labels = axes.get_legend_handles_labels()
    beside.legend(lines, labels, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def first_of(results, key):
    """The first result of each key: who is beside several others was measured as often."""
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
        look = style(line[0])
        times.plot([result["n"] for result in line], [result["median_s"] for result in line], label=text, **look)
        clocked = [result for result in line if "device_median_s" in result]
        if clocked:
            times.plot(
                [result["n"] for result in clocked],
                [result["device_median_s"] for result in clocked],
                label=None if has_clock else "by the device's clock",
                color=look["color"],
                linestyle=":",
                linewidth=0.9,
            )
            has_clock = True
        # What the cost model allows at the speed of copies, of those that have one.
        bounded = [result for result in line if "model_fraction" in result]
        if bounded:
            times.plot(
                [result["n"] for result in bounded],
                [result["median_s"] * result["model_fraction"] for result in bounded],
                label=f"roofline of {line[0]['who']}",
                color=look["color"],
                linestyle="--",
                linewidth=0.7,
            )
        line = [result for result in line if result["n"] in base_s]
        ratios.plot(
            [result["n"] for result in line], [base_s[result["n"]] / result["median_s"] for result in line], **look
        )
    finish_axes(times, "seconds a sort (median)")
    finish_axes(ratios, f"times as fast as {base}")
    few = (1, 2, 5)
    least, most = ratios.get_ylim()
    ratios.yaxis.set_major_locator(ticker.LogLocator(subs=few if most > 10 * least else range(1, 10)))
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
    axes.set_xlabel("million keys a second (median)")
    axes.grid(True, linewidth=0.3)
    add_legend(axes, axes)
    save(figure, folder, f"{name}-distributions", f"{title}, {results[0]['n']} of each distribution", facts)


def sort_of(result):
    """What sort it is: the name of its chart, and its title."""
    name, title = result["type"], f"{result['type']} keys"
    if result["op"] == "pairs":
        name += f"-pairs-{result['value_size']}"
        title = f"pairs of {result['type']} keys and values of {result['value_size']} bytes"
    elif result["op"] == "custom":
        name += "-custom"
        title += " in a custom order"
    if result.get("unstable"):
        name += "-unstable"
        title += ", order of equal keys free"
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
            # Uniform keys of as many elements, by the same contestants, were measured with the sizes.
            most = max(row["n"] for row in others)
            whos = {row["who"] for row in others}
            like = [row for row in rows if row["n"] == most and row["who"] in whos and not asked(row)]
            like = first_of(like, lambda row: (row["who"], row["dist"]))
            draw_distributions(name, title, like, facts, folder)


if __name__ == "__main__":
    main()
