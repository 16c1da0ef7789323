"""charts.py - draws charts of the results of clsort-bench: charts.py RESULTS FOLDER [PREFIX]

RESULTS is a file of JSON lines of clsort-bench and numpy_sort.py, or several, separated by commas. For each kind of sort, the script writes
FOLDER/NAME.svg (the rate, and the ratio of each peer to clsort, against the number of elements) and
FOLDER/NAME-distributions.svg (the same against the distribution). Of segments and selections, FOLDER/NAME.svg has the
same against the mean length of the segments and against k. With PREFIX, the files are FOLDER/PREFIX-NAME.svg.

plan() selects the data of all charts without matplotlib. Each chart contains a hash of its data, so scripts/figures.py
can compare charts with results without drawing them.
"""

import hashlib
import json
import math
import os
import sys

# Colour and marker of each contestant, the same in all charts. All have enough contrast on white and on black.
STYLES = {
    "clsort": ("#e5484d", "o"),
    "clsort_host": ("#e5484d", "o"),
    "cub": ("#3b82c4", "d"),
    "np.sort": ("#1a9aaa", "P"),
    "vqsort": ("#3d9a50", "D"),
    "std::sort": ("#8a72d8", "v"),
    "std::stable_sort": ("#8a72d8", "s"),
    "tbb::parallel_sort": ("#c2741f", "^"),
    "block_indirect_sort": ("#a8745c", "<"),
    "Boost.Compute": ("#c558a0", "s"),
    "spreadsort": ("#8f8a1d", "X"),
    "qsort": ("#7f8790", "h"),
    "std-sort-each": ("#8a72d8", "v"),
    "std-sort-each-all": ("#c2741f", "^"),
    "std::partial_sort": ("#8a72d8", "s"),
    "std::nth_element": ("#3d9a50", "D"),
    "np.partition": ("#1a9aaa", "P"),
    "cub-segmented": ("#3b82c4", "d"),
    "cub-full-sort": ("#3b82c4", "d"),
    "cub-topk": ("#c558a0", "s"),
}
INK = "#7a7a7a"  # of text and axes
REFERENCES = ("std::stable_sort", "std::sort")  # the first one measured is in the chart, however slow it is
MAX_LINES = 5
SORTS = ("keys", "pairs", "custom")  # operations
# Other operations with charts: the field on the horizontal axis, and its title. The number of elements is constant.
SWEEPS = {"segments": ("segment_length", "mean length of a segment"), "top": ("k", "selected elements (k)")}
# Contestants that are variants of one peer, and the name of the peer. The fastest one of a run counts.
VARIANTS = {"cub": "cub", "cub-64": "cub"}


def read(*paths):
    """Returns the description of the machine, and the correct results, of all these files together.

    The field "asked" of a peer becomes that of the clsort it was measured next to, so that ratios compare results of
    one run. Of the variants of a peer in one run, only the fastest is returned, by the name of the peer."""
    facts, results, asked, variants = {"peers": {}}, [], None, {}
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines += file
    for line in lines:
        item = json.loads(line)
        if "machine" in item:
            # The first description counts; the peers of all are collected.
            peers = {**facts["peers"], **item["machine"].pop("peers")}
            facts = {**item["machine"], **facts, "peers": peers}
            asked, variants = None, {}
            continue
        if is_clsort(item):
            asked, variants = item.get("asked"), {}
        if item["verified"]:
            add_fastest(results, variants, {**item, "asked": asked})
        else:
            print(f"charts.py: left out, because the result is wrong: {line.strip()}", file=sys.stderr)
    return facts, results


def add_fastest(results, variants, result):
    """Adds the result, unless it is that of a variant of a peer, and another variant of it was faster in this run.

    variants has the indexes of the variants of this run in results, by the name of the peer."""
    peer = VARIANTS.get(result["who"])
    if not peer:
        results.append(result)
    elif peer not in variants:
        variants[peer] = len(results)
        results.append({**result, "who": peer})
    elif result["median_s"] < results[variants[peer]]["median_s"]:
        results[variants[peer]] = {**result, "who": peer}


def is_clsort(result):
    return result["who"].startswith("clsort")


def requested(result):
    """Returns the algorithm that was requested in this run, None if clsort chose it."""
    return None if result.get("asked") in (None, "auto") else result["asked"]


def kind(result):
    """Returns the name and the title of the kind of sort."""
    name, title = result["type"], f"{result['type']} keys"
    if result["op"] == "pairs":
        name += f"-pairs-{result['value_size']}"
        title += f" with values of {result['value_size']} bytes"
    elif result["op"] == "custom":
        name += "-custom"
        title += " in a custom order"
    elif result["op"] == "segments":
        name += f"-segments-{result['segments']}"
        title += f" in segments, lengths: {result['segments']}"
        if result["value_size"]:
            name += f"-values-{result['value_size']}"
            title += f", with values of {result['value_size']} bytes"
    elif result["op"] == "top":
        name += "-top-input-order" if result["input_order"] else "-top"
        title += ", first k in the order of the input" if result["input_order"] else ", first k"
    if result.get("unstable"):
        name += "-unstable"
        title += ", unstable"
    elif result["op"] == "pairs":
        title += ", stable"
    if result.get("no_scratch"):
        name += "-no-scratch"
        title += ", no scratch"
    return (name + "-host", title) if result["host"] else (name, title)


def first_by(results, key):
    """Returns the first result of each key, since some contestants were measured several times."""
    found = {}
    for result in results:
        found.setdefault(key(result), result)
    return found


# -- selection of the data ---------------------------------------------------------------------------------------------


def device_name(facts):
    """Returns the device and its driver for titles."""
    if "PoCL" in facts["platform"]:
        cpu = facts["cpu"].replace("(R)", "").replace(" Processor", "")
        return f"{cpu}, {facts['cores']} cores, PoCL {facts['driver'].partition('+')[0]}"
    return f"{facts['device']}, driver {facts['driver']}"


def buffers(series):
    """Returns where the data of the contestants are."""
    host_peers = [rows[0] for rows in series if rows[0]["device"] in ("one core", "all cores")]
    if series[0][0]["host"]:
        return "host arrays, transfers included"
    if host_peers:
        return "clsort: device buffers, host peers: host arrays"
    return "device buffers"


def choose(series, point):
    """Returns the series of a chart: clsort, a reference, and the peers with the highest rates, in this order. point
    returns the position of a result."""
    own = [rows for rows in series if is_clsort(rows[0])]
    peers = [rows for rows in series if not is_clsort(rows[0])]
    base = {point(row): row["median_s"] for row in own[0]}

    def slowness(rows):
        ratios = [math.log(row["median_s"] / base[point(row)]) for row in rows if point(row) in base]
        return sum(ratios) / len(ratios) if ratios else math.inf

    peers.sort(key=slowness)
    names = [rows[0]["who"] for rows in peers]
    reference = next((names.index(who) for who in REFERENCES if who in names), None)
    if reference is not None and reference >= MAX_LINES - 1:
        peers.insert(MAX_LINES - 2, peers.pop(reference))
    return own + peers[: MAX_LINES - 1]


def chart(name, title, rows, facts, order, sweep=None):
    """Returns the data of a chart; None if it has no line of clsort, or no peer to compare the counts with.

    order is that of the points, a key of results. sweep: a value of SWEEPS, if the horizontal axis is that field."""

    def point(row):
        """Returns the position of a result on both kinds of horizontal axis."""
        return row[sweep[0] if sweep else "n"], row["dist"]

    series = {}
    for row in first_by(rows, lambda row: (row["who"], point(row))).values():
        series.setdefault(row["who"], []).append(row)
    series = [sorted(line, key=order) for line in series.values() if len(line) > 1]
    by_count = len({row["dist"] for row in rows}) == 1
    if not any(is_clsort(line[0]) for line in series) or (by_count and len(series) == 1):
        return None
    series = choose(series, point)
    other = "clsort" if len(series) > 1 else "uniform keys"
    heading = [f"{title}: elements per second, and ratio to {other}", device_name(facts)]
    heading.append(f"{buffers(series)}; measured on {facts['date'][:10]}")
    lines = [[line[0]["who"], [[*point(row), row["median_s"]] for row in line]] for line in series]
    data = {"heading": heading, "lines": lines}
    if sweep:
        data.update(n=rows[0]["n"], axis=sweep[1])
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return {"name": name, "hash": hashlib.sha256(text.encode()).hexdigest(), **data}


def power_title(count):
    """Returns a number of elements as text."""
    return f"2^{count.bit_length() - 1}" if count & (count - 1) == 0 else str(count)


def plan_sweeps(facts, results, prefix):
    """Returns the data of the charts of segments and selections. If there are several numbers of elements or
    distributions of keys, those with the most points are in the chart."""
    cases, best = {}, {}
    for result in results:
        if not requested(result) and result["op"] in SWEEPS:
            cases.setdefault((kind(result), result["n"], result["dist"]), []).append(result)
    for ((name, title), n, dist), rows in cases.items():
        sweep = SWEEPS[rows[0]["op"]]
        points = len({row[sweep[0]] for row in rows})
        if points > 1 and points > best.get(name, (0,))[0]:
            keys = "" if dist == "uniform" else f", keys: {dist}"
            best[name] = points, f"{power_title(n)} {title}{keys}", rows, sweep
    return [
        chart(prefix + name, title, rows, facts, lambda row, field=sweep[0]: row[field], sweep)
        for name, (_, title, rows, sweep) in best.items()
    ]


def plan(facts, results, prefix=""):
    """Returns the data of all charts of the results."""
    kinds, charts = {}, plan_sweeps(facts, results, prefix)
    for result in results:
        if not requested(result) and result["op"] in SORTS:
            kinds.setdefault(kind(result), []).append(result)
    for (name, title), rows in kinds.items():
        uniform = [row for row in rows if row["dist"] == "uniform"]
        charts.append(chart(prefix + name, f"Uniform {title}", uniform, facts, lambda row: row["n"]))
        others = [row for row in rows if row["dist"] != "uniform"]
        if others:
            # Adds uniform keys with the same number of elements and the same contestants. If there are several numbers, that
            # with the most distributions is in the chart.
            count = max((len({row["dist"] for row in others if row["n"] == n}), n) for n in {row["n"] for row in others})[1]
            whos = {row["who"] for row in others}
            like = [row for row in rows if row["n"] == count and row["who"] in whos]
            dists = ["uniform", *dict.fromkeys(row["dist"] for row in others)]
            title = f"{power_title(count)} {title}"
            order = {dist: index for index, dist in enumerate(dists)}
            charts.append(
                chart(f"{prefix}{name}-distributions", title, like, facts, lambda row, order=order: order[row["dist"]])
            )
    return [data for data in charts if data]


def hash_in(svg):
    """Returns the hash of the data in the text of a chart, "" if there is none."""
    return svg.partition("data sha256:")[2][:64]


# -- drawing -----------------------------------------------------------------------------------------------------------


def add_labels(axes, ends):
    """Writes the labels of lines, given as (label, colour, x, y of the last point), to the right of the axes."""
    gap = 0.07
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = sorted(ends, key=lambda end: end[3])
    heights = [to_axes.transform((x, y))[1] for _, _, x, y in ends]
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + gap)
    excess = max(0, heights[-1] - 1) if heights else 0
    for i in reversed(range(len(heights))):
        limit = heights[i + 1] - gap if i + 1 < len(heights) else heights[i] - excess
        heights[i] = min(heights[i], limit)
    for (label, colour, x, y), height in zip(ends, heights):
        axes.annotate(
            label,
            (x, y),
            (1.04, height),
            textcoords="axes fraction",
            color=colour,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 3},
        )


def draw_lines(axes, lines, is_discrete):
    """Draws lines of (who, {x: y}) and labels them."""
    ends = []
    for who, points in lines:
        colour, marker = STYLES[who]
        xs, ys = list(points), list(points.values())
        axes.plot(
            xs,
            ys,
            color=colour,
            marker=marker,
            markersize=4,
            linewidth=2 if who.startswith("clsort") else 1.2,
            linestyle="none" if is_discrete else "-",
        )
        ends.append((who, colour, xs[-1], ys[-1]))
    return ends


def label_heights(axes, formatter, ticker):
    """Sets the vertical ticks: the fewer decades, the more ticks in each."""
    low, high = axes.get_ylim()
    if high > 1000 * low:
        subs = (1,)
    else:
        subs = (1, 2, 5) if high > 10 * low else range(1, 10)
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=subs))
    axes.yaxis.set_major_formatter(formatter)


def finish_axes(axes, title, dists, counts, label, ticker):
    if dists:
        axes.set_xticks(range(len(dists)), dists, rotation=60, ha="right", rotation_mode="anchor")
    else:
        powers = sorted({round(math.log2(count)) for count in counts})
        axes.set_xscale("log", base=2)
        axes.set_xticks([1 << power for power in reversed(powers)][:: math.ceil(len(powers) / 8)])
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.set_xlabel(label)
    axes.set_yscale("log")
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_title(title, fontsize=9)
    axes.grid(True, linewidth=0.4, color=INK, alpha=0.4)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw(data, path, modules):
    """Draws a chart: the rates on the left, the ratios on the right."""
    pyplot, ticker = modules
    dists = list(dict.fromkeys(dist for _, rows in data["lines"] for _, dist, _ in rows))
    if len(dists) == 1:
        dists = None

    def by_x(rows):
        return {dists.index(dist) if dists else n: (n, seconds) for n, dist, seconds in rows}

    series = [(who, by_x(rows)) for who, rows in data["lines"]]
    base = series[0][1]
    rates = [(who, {x: data.get("n", n) / s for x, (n, s) in rows.items()}) for who, rows in series]
    title = "time of the peer / time of clsort (above 1, clsort is faster)"
    if len(series) > 1:
        ratios = [(who, {x: s / base[x][1] for x, (n, s) in rows.items() if x in base}) for who, rows in series[1:]]
    else:
        title = "rate / rate of uniform keys"
        ratios = [(series[0][0], {x: base[0][1] / s for x, (_, s) in base.items()})]

    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.4))
    figure.suptitle("\n".join(data["heading"]), fontsize=10)
    ends = [draw_lines(axes, lines, bool(dists)) for axes, lines in zip(panels, (rates, ratios))]
    counts = {x for _, rows in series for x in rows}
    label = data.get("axis", "elements")
    finish_axes(panels[0], "elements per second (median)", dists, counts, label, ticker)
    label_heights(panels[0], ticker.EngFormatter(sep=""), ticker)
    finish_axes(panels[1], title, dists, counts, label, ticker)
    panels[1].axhline(1, color=INK, linewidth=1)
    panels[1].set_ylim(max(panels[1].get_ylim()[0], 0.002), None)
    label_heights(panels[1], "{x:g}", ticker)
    figure.tight_layout(w_pad=12, rect=(0, 0, 0.89, 1))
    for axes, labels in zip(panels, ends):
        add_labels(axes, labels)
    save(figure, path, data)
    pyplot.close(figure)


def draw_bars(data, path, modules):
    """Draws a chart of ratios: bars of (case, peer, ratio) in panels."""
    pyplot, _ = modules
    counts = [len(bars) for _, bars in data["panels"]]
    figure, panels = pyplot.subplots(
        len(counts), 1, figsize=(9, 1.6 + 0.34 * sum(counts)), gridspec_kw={"height_ratios": counts}
    )
    figure.suptitle("\n".join(data["heading"]), fontsize=10)
    for axes, (title, bars) in zip(panels, data["panels"]):
        axes.barh([f"{case}: {peer}" for case, peer, _ in bars], [ratio for *_, ratio in bars], color=STYLES["clsort"][0])
        axes.bar_label(axes.containers[0], [f"{ratio:.2f}" for *_, ratio in bars], padding=3, color=INK)
        axes.invert_yaxis()
        axes.axvline(1, color=INK, linewidth=1)
        axes.set_title(title, fontsize=9)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.tight_layout()
    save(figure, path, data)
    pyplot.close(figure)


def save(figure, path, data):
    description = f"data sha256:{data['hash']}"
    figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None, "Description": description})


def load_matplotlib():
    """Returns the modules that draw() needs. Raises ImportError if matplotlib is missing."""
    import matplotlib

    matplotlib.use("SVG")
    # Text as text keeps the files small. A fixed salt makes the output reproducible.
    settings = {"svg.fonttype": "none", "svg.hashsalt": "clsort", "font.size": 9}
    names = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color")
    matplotlib.rcParams.update({**settings, **dict.fromkeys(names, INK)})
    from matplotlib import pyplot, ticker

    return pyplot, ticker


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: charts.py RESULTS FOLDER [PREFIX]")
    modules = load_matplotlib()
    facts, results = read(*sys.argv[1].split(","))
    for data in plan(facts, results, f"{sys.argv[3]}-" if len(sys.argv) == 4 else ""):
        draw(data, os.path.join(sys.argv[2], f"{data['name']}.svg"), modules)


if __name__ == "__main__":
    main()
