#!/usr/bin/env python3
"""figures.py - writes measured figures into the documentation and draws the charts: figures.py [--check]

The figures come from the results in docs/benchmarks. In the Markdown files, a block between "<!-- figure: NAME -->" and
"<!-- /figure -->" and a text between "<!--=NAME-->" and "<!--/-->" belong to this script. --check changes nothing and
exits 1 if a text or a chart differs from the results. Only drawing needs matplotlib. CLSORT_ROOT is the folder of the
sources (default: the parent of this script's folder).
"""

import os
import re
import sys

ROOT = os.environ.get("CLSORT_ROOT") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.dont_write_bytecode = True
import charts  # noqa: E402 (found by the path above)
from figure_files import Files  # noqa: E402
from figure_formats import code, digits, duration, ms, table, times, us  # noqa: E402
from figure_mpi import Group, Ranks  # noqa: E402
from figure_operations import Operations  # noqa: E402
from figure_scaling import Scaling  # noqa: E402

PAGES = ("README", "cpu", "h100", "h200", "host-arrays", "other-operations")  # in docs/benchmarks
TEXTS = ["README.md", *(f"docs/{page}.md" for page in ("guide", "performance", "scaling", "several-devices"))]
TEXTS += [f"docs/benchmarks/{page}.md" for page in PAGES]
BLOCK = re.compile(r"(<!-- figure: (?P<name>[^>]*?) -->\n)(?P<text>.*?)(<!-- /figure -->)", re.DOTALL)
INLINE = re.compile(r"(<!--=(?P<name>[^>]*?)-->)(?P<text>.*?)(<!--/-->)", re.DOTALL)
MARK = re.compile(r"<!-- ?(?:figure:|/figure|=|/-->)")

TITLES = {
    "u32": "u32 keys",
    "u64": "u64 keys",
    "f32": "f32 keys",
    "u8": "u8 keys",
    "u16": "u16 keys",
    "u32-pairs-4": "u32 + u32, stable",
    "u32-pairs-4-unstable": "u32 + u32, unstable",
    "u64-pairs-4": "u64 + u32, stable",
    "u64-pairs-8": "u64 + u64, stable",
    "u32-pairs-16": "u32 + 16 bytes, stable",
    "u64-pairs-16": "u64 + 16 bytes, stable",
    "u32-custom": "u32, custom order",
    "u64-custom": "u64, custom order",
}
PAIRS = ("u32-pairs-4", "u64-pairs-8")
# Files of results. Charts have the results of a group.
FILES = (("results", "key-dists", "pair-dists"), ("host",), ("lengths",))
HOST_KINDS = ("u32-host", "u64-host", "u32-pairs-4-host")
DISTS = (
    "sorted reversed equal few zipf normal entropy2 entropy3 entropy4 entropy5 organ-pipe clusters hot special "
    "nearly-sorted runs root-dups two-dups eight-dups left-aligned alternating "
    "expo bitexp stairs shared-prefix random-runs"
).split()


# -- results -----------------------------------------------------------------------------------------------------------


def own(kind):
    """Returns the name of clsort in the results of this kind."""
    return "clsort_host" if kind.endswith("-host") else "clsort"


class Source:
    """The results of one device: PREFIXresults.jsonl with those of PREFIXkey-dists.jsonl and PREFIXpair-dists.jsonl, and
    PREFIXhost.jsonl for host arrays, as far as these were measured."""

    def __init__(self, title, folder, prefix):
        self.title = title
        self.folder = os.path.normpath(os.path.join("docs/benchmarks", folder))
        self.prefix = prefix
        groups = [[self.path(name) for name in names] for names in FILES]
        groups = [[path for path in paths if os.path.exists(path)] for paths in groups]
        parts = [charts.read(*paths) if paths else None for paths in groups]
        host = parts[1] and parts[1][0]
        self.parts = [part for part in parts if part]
        self.facts, self.results = self.parts[0]
        self.enqueue = charts.read(self.path("enqueue"))[1] if os.path.exists(self.path("enqueue")) else []
        self.host_title = title
        if host and host["device"] != self.facts["device"]:
            self.host_title = charts.device_name(host)
        # The first result counts, if a case was measured several times.
        self.rows = charts.first_by(
            [row for _, results in self.parts for row in results],
            lambda row: (charts.kind(row)[0], row["n"], row["dist"], row["who"], charts.requested(row)),
        )

    def path(self, name):
        return os.path.join(ROOT, self.folder, f"{self.prefix}{name}.jsonl")

    def find(self, kind, power, who=None, dist="uniform", algorithm=None):
        """Returns a result of this contestant (None: clsort), None if it was not measured. The result of a peer is from
        the run in which clsort used the algorithm."""
        return self.rows.get((kind, 1 << power, dist, who or own(kind), algorithm))

    def charts(self):
        """Returns the data of all charts."""
        return [data for facts, results in self.parts for data in charts.plan(facts, results, self.prefix)]

    def seconds(self, *case, **options):
        row = self.find(*case, **options)
        return row and row["median_s"]

    def ratio(self, kind, power, who, dist="uniform", algorithm=None):
        """Returns the time of the peer divided by that of clsort, None if one of them was not measured."""
        own = self.seconds(kind, power, dist=dist, algorithm=algorithm)
        peer = self.seconds(kind, power, who, dist, algorithm)
        return peer / own if own and peer else None

    def fastest(self, kind, power, dist="uniform"):
        """Returns the ratio and the name of the fastest peer, None if there is none."""
        whos = {who for k, n, d, who, asked in self.rows if (k, n, d, asked) == (kind, 1 << power, dist, None)}
        ratios = [(self.ratio(kind, power, who, dist), who) for who in whos if not who.startswith("clsort")]
        return min((pair for pair in ratios if pair[0]), default=None)

    def powers(self, kind, dist="uniform"):
        rows = [key for key in self.rows if key[0] == kind and key[2:] == (dist, own(kind), None)]
        return sorted(key[1].bit_length() - 1 for key in rows if key[1] & (key[1] - 1) == 0)

    def slower_up_to(self, kind, who=None):
        """Returns the largest power at which the peer (None: any peer) is faster than clsort."""
        slower = [p for p in self.powers(kind) for fast in [self.compare(kind, p, who)] if fast and fast < 1]
        return max(slower, default=None)

    def faster_from(self, kind):
        """Returns the smallest measured power from which on no peer is faster than clsort; None if there is none."""
        last = self.slower_up_to(kind) or 0
        return next((p for p in self.powers(kind) if p > last and self.fastest(kind, p)), None)

    def compare(self, kind, power, who):
        if who:
            return self.ratio(kind, power, who)
        return (self.fastest(kind, power) or (None,))[0]

    def enqueue_ratios(self, kind, power, dist):
        """Returns the time of clsort_enqueue divided by those of clsort_host, in later calls and without kept memory;
        None if they were not measured."""
        rows = [row for row in self.enqueue if charts.kind(row)[0] == kind]
        seconds = {row["who"]: row["median_s"] for row in rows if (row["n"], row["dist"]) == (1 << power, dist)}
        base, *own = (seconds.get(who) for who in ("clsort_enqueue", "clsort_host", "clsort_host-fresh"))
        return [base / value for value in own] if base and all(own) else None

    def date(self):
        return self.facts["date"][:10]

    def copy_speeds(self):
        """Returns the lowest and the highest speed of copies in GB/s."""
        speeds = [row["copy_gb_s"] for row in self.results if row.get("copy_gb_s")]
        return min(speeds), max(speeds)

    def dist_rate(self, kind, power, dist):
        """Returns the rate of a distribution divided by that of uniform keys, None if one of them was not measured."""
        uniform, seconds = self.seconds(kind, power), self.seconds(kind, power, dist=dist)
        return uniform / seconds if uniform and seconds else None

    def slowest_dist(self, kind, power):
        """Returns the slowest distribution, and its rate divided by that of uniform keys."""
        rate, dist = min((self.dist_rate(kind, power, d), d) for d in DISTS if self.dist_rate(kind, power, d))
        return f"`{dist}`", times(rate)


# -- tables ------------------------------------------------------------------------------------------------------------


def strongest_peer(source, kind, power):
    """The time of clsort, and the ratio of the fastest peer."""
    seconds, peer = source.seconds(kind, power), source.fastest(kind, power)
    if not seconds:
        return ""
    return f"{duration(seconds)}; {times(peer[0])} {code(peer[1])}" if peer else duration(seconds)


def strongest(source, kinds, powers):
    """Times of clsort, and the ratio of the fastest peer of each case."""
    rows = [[TITLES[kind], *(strongest_peer(source, kind, power) for power in powers)] for kind in kinds]
    return table(["", *(f"2^{power}" for power in powers)], rows)


def slower_sizes(sources):
    """The counts of uniform elements up to which a peer is faster."""
    rows = []
    for source in sources:
        for kind in ("u32", "u64", "f32", *PAIRS):
            last = source.slower_up_to(kind)
            if not last:
                continue
            cells = []
            for power in sorted({12, last}):
                peer = source.fastest(kind, power)
                cells.append(f"{code(peer[1])} is {times(1 / peer[0])} times as fast at 2^{power}")
            rows.append([source.title, TITLES[kind], f"up to 2^{last}", "; ".join(cells)])
    return table(["device", "elements", "clsort is slower", "fastest peer"], rows)


def slower_cases(source):
    """All other cases in which a peer is faster, as a table. Charts show those of segments and selections, which are
    many for a kind and a number of elements."""
    rows = []
    for kind, n, dist, who, algorithm in source.rows:
        power = n.bit_length() - 1
        if not who == "clsort" or algorithm or n != 1 << power or kind not in TITLES:
            continue
        peer = source.fastest(kind, power, dist)
        if peer and float(times(1 / peer[0])) > 1 and (dist != "uniform" or power > 20):
            rows.append([source.title, f"2^{power} {TITLES[kind]}, {dist}", f"{code(peer[1])} {times(1 / peer[0])}"])
    return rows


def slower_other(sources):
    rows = [row for source in sources for row in slower_cases(source)]
    return table(["device", "elements, distribution", "faster peer, by a factor of"], rows)


def kind_title(kind):
    return TITLES[kind.removesuffix("-host")]


def host_arrays(sources, powers):
    """clsort_host on host arrays, with the fastest peer."""
    rows = []
    for source in sources:
        kinds = [kind for kind in HOST_KINDS if set(source.powers(kind)) & set(powers)]
        for kind in kinds:
            cells = [strongest_peer(source, kind, power) for power in powers]
            rows.append([source.host_title, kind_title(kind), *cells])
        if not kinds:
            rows.append([source.host_title, "not measured yet", *("" for _ in powers)])
    return table(["device", "elements", *(f"2^{power}" for power in powers)], rows)


def host_counts(sources):
    """The same for all counts, with a row for each."""
    rows = []
    for source in sources:
        powers = sorted({power for kind in HOST_KINDS for power in source.powers(kind)})
        for power in powers:
            cells = [strongest_peer(source, kind, power) for kind in HOST_KINDS]
            rows.append([source.host_title, f"2^{power}", *cells])
        if not powers:
            rows.append([source.host_title, "not measured yet", *("" for _ in HOST_KINDS)])
    return table(["device", "count", *map(kind_title, HOST_KINDS)], rows)


def host_charts(sources):
    """A list of links to the charts of host arrays."""
    links = []
    for source in sources:
        folder = os.path.relpath(source.folder, "docs/benchmarks")
        names = [data["name"] for data in source.charts()]
        for kind in HOST_KINDS:
            if source.prefix + kind in names:
                path = os.path.normpath(os.path.join(folder, f"{source.prefix}{kind}.svg"))
                links.append(f"- [{source.host_title}, {kind_title(kind)}]({path})\n")
    return "".join(links)


def host_cpu(source):
    """The number of keys from which on clsort is the fastest for host arrays on a CPU."""
    largest = max(source.powers("u32-host"), default=0)
    if largest <= 15:  # these are sorted without the device
        return f"2^{source.faster_from('u32')} u32 keys (measured between device buffers)"
    power = source.faster_from("u32-host")
    keys = f"2^{power} u32 keys" if power else f"more than 2^{largest} u32 keys"
    return keys if source.host_title == source.title else f"{keys} ({source.host_title})"


def host_gpu(source):
    """A sentence on the number of keys from which on clsort is the fastest for host arrays on a discrete GPU."""
    if not source.powers("u32-host"):
        return "There are no measurements with transfers yet"
    power = source.faster_from("u32-host")
    if power:
        return f"On the {source.host_title}, `clsort_host` is faster than every peer on the CPU from 2^{power} u32 keys"
    return f"On the {source.host_title}, a peer on the CPU is faster at every measured number of u32 keys"


def peers_by_count(source, cases, whos):
    rows = []
    for kind, power in cases:
        ratios = [times(source.ratio(kind, power, who)) for who in whos]
        rows.append([TITLES[kind], f"2^{power}", ms(source.seconds(kind, power)), *ratios])
    return table(["keys", "count", "clsort, ms", *map(code, whos)], rows)


def contestants(source, kind, powers):
    head = ["contestant"]
    for power in powers:
        head += [f"2^{power}, ms", "ratio"]
    whos = dict.fromkeys(key[3] for key in source.rows if key[0] == kind)
    rows = []
    for who in whos:
        row = [code(who) if who != "clsort" else who]
        for power in powers:
            row += [ms(source.seconds(kind, power, who)), times(source.ratio(kind, power, who))]
        rows.append(row)
    return table(head, rows)


def gpu_sizes(source, kind):
    powers = source.powers(kind)
    rows = [[f"2^{p}", us(source.seconds(kind, p)), times(source.ratio(kind, p, "cub"))] for p in powers]
    return table(["n", "clsort, us", "CUB"], rows)


def gpu_types(source, kinds, powers):
    head = [""]
    for power in powers:
        head += [f"2^{power}, us", "CUB"]
    rows = []
    for kind in kinds:
        cells = []
        for power in powers:
            cells += [us(source.seconds(kind, power)), times(source.ratio(kind, power, "cub"))]
        if any(cells):
            rows.append([TITLES[kind], *cells])
    return table(head, rows)


def gpu_dists(source, power):
    dists = [dist for dist in ("uniform", *DISTS) if source.find("u32", power, dist=dist)]
    rows = [[d, us(source.seconds("u32", power, dist=d)), times(source.ratio("u32", power, "cub", d))] for d in dists]
    return table(["distribution", "clsort, us", "CUB"], rows)


def dists_ms(source, kinds, power):
    dists = [d for d in ("uniform", *DISTS) if source.find(kinds[0], power, dist=d)]
    rows = [[d, *(ms(source.seconds(kind, power, dist=d)) for kind in kinds)] for d in dists]
    return table(["keys", *(TITLES[kind].removesuffix(", stable") for kind in kinds)], rows)


def dists_relative(source, kinds, power):
    """The rates of distributions divided by those of uniform keys."""
    dists = [d for d in DISTS if source.find(kinds[0], power, dist=d)]
    rows = [[d, *(times(source.dist_rate(kind, power, d)) for kind in kinds)] for d in dists]
    return table(["keys", *(TITLES[kind].removesuffix(", stable") for kind in kinds)], rows)


def enqueue_ratios(sources, powers):
    """clsort_enqueue on the memory of host arrays, compared with clsort_host."""
    rows = []
    for source in sources:
        for kind in HOST_KINDS:
            for dist in ("uniform", "sorted", "equal"):
                ratios = [source.enqueue_ratios(kind, power, dist) for power in powers]
                cells = [" / ".join(f"{ratio:.2f}" for ratio in pair) if pair else "" for pair in ratios]
                if any(cells):
                    rows.append([source.host_title, kind_title(kind), dist, *cells])
    return table(["device", "elements", "keys", *(f"2^{power}" for power in powers)], rows)


def named(source, cases):
    rows = []
    for algorithm, power in cases:
        seconds = source.seconds("u32", power, algorithm=algorithm)
        ratio = source.ratio("u32", power, "cub", algorithm=algorithm)
        rows.append([f"`{algorithm}`", f"2^{power}", us(seconds), times(ratio)])
    return table(["algorithm", "n", "clsort, us", "CUB"], rows)


def model(source, cases):
    rows = []
    for kind, power, algorithm in cases:
        row = source.find(kind, power, algorithm=algorithm)
        cells = [digits(row["mkeys_s"] / 1e3), f"{row['model_bytes_key']:.0f}", f"{row['model_fraction']:.2g}"]
        rows.append([f"`{row['algorithm']}`", f"{TITLES[kind]}, 2^{power}", *cells])
    return table(["algorithm", "case", "Gkeys/s", "bytes per key", "fraction"], rows)


def more_than_32_bits(source):
    """The largest sort, which needs 64-bit indexes."""
    row = max(source.results, key=lambda row: row["n"])
    rate, fraction = digits(row["mkeys_s"] / 1e3), times(row["model_fraction"])
    count = f"2^32 + {row['n'] - 2**32} {row['type']} keys"
    return (
        f"A run of {count} took {duration(row['median_s'])}. This is {rate} Gkeys/s and {fraction} of the\nmodel.\n"
    )


def accesses(source, count):
    """The rate of radix, and what it moves in TB/s and as a part of the copies if each key is accessed count times."""
    row = source.find("u32", 28, algorithm="radix")
    rate = row["mkeys_s"] / 1e3
    moved = rate * 4 * count
    return f"{digits(rate)} Gkeys/s x {4 * count} bytes = {digits(moved / 1e3)}", f"{100 * moved / row['copy_gb_s']:.0f}"


def gpu_figures(name, source):
    """Returns the functions that make the figures of a GPU's page, by name."""
    kinds = [kind for kind in TITLES if kind != "u32"]
    models = [(kind, 28, None) for kind in TITLES if not kind.endswith(("custom", "-16"))]
    models += [("u32", 28, "onesweep"), ("u32", 28, "radix"), ("u32", 24, "merge"), ("u32-custom", 24, None)]
    models += [("u32", 20, "bitonic"), ("u32", 10, "local")]
    algorithms = [("radix", 24), ("onesweep", 24), ("merge", 24), ("radix", 28), ("onesweep", 28)]
    algorithms += [("bitonic", 20), ("local", 10)]
    makers = {
        "u32": lambda: gpu_sizes(source, "u32"),
        "types": lambda: gpu_types(source, kinds, (16, 20, 24, 28)),
        "distributions": lambda: gpu_dists(source, 28),
        "algorithms": lambda: named(source, algorithms),
        "model": lambda: model(source, models),
        "64-bit": lambda: more_than_32_bits(source),
        "date": source.date,
        "copy": lambda: " to ".join(dict.fromkeys(digits(speed / 1e3) for speed in source.copy_speeds())),
    }
    return {f"{name}-{figure}": maker for figure, maker in makers.items()}


def sentences(two, avx2, sixteen, h100, h200, operations):
    """Returns the functions that make the figures within sentences, by name."""
    texts = {
        "2-cores-from": lambda: f"2^{two.faster_from('u32')}",
        "16-cores-from": lambda: f"2^{sixteen.faster_from('u32')}",
        "2-cores-vqsort-to": lambda: f"2^{two.slower_up_to('u32', 'vqsort')}",
        "2-cores-numpy-to": lambda: f"2^{two.slower_up_to('u32', 'np.sort')}",
        "2-cores-std-to": lambda: f"2^{two.slower_up_to('u32', 'std::sort')}",
        "avx2-date": avx2.date,
        "avx2-copy": lambda: digits(avx2.copy_speeds()[1]),
        "operations-date": operations.date,
        "operations-copy": lambda: " to ".join(f"{speed:.0f}" for speed in operations.copy_speeds()),
        "2-cores-2^10-best": lambda: us(two.find("u32", 10)["min_s"]),
        "2-cores-2^10": lambda: us(two.seconds("u32", 10)),
        "host-cpu-2": lambda: host_cpu(avx2),
        "host-cpu-16": lambda: host_cpu(sixteen),
        "host-gpu": lambda: host_gpu(h100),
        "2-cores-slower-to": lambda: f"2^{max(two.slower_up_to(kind) for kind in ('u32', 'u64', 'f32', *PAIRS))}",
        "16-cores-slower-to": lambda: f"2^{max(sixteen.slower_up_to(kind) for kind in ('u32', 'u64', 'f32', *PAIRS))}",
        "h200-u32-28": lambda: duration(h200.seconds("u32", 28)),
        "h200-u32-28-ratio": lambda: times(h200.ratio("u32", 28, "cub")),
        "16-cores-u32-24": lambda: duration(sixteen.seconds("u32", 24)),
        "16-cores-u32-24-ratio": lambda: times(sixteen.ratio("u32", 24, "np.sort")),
        "2-cores-copy": lambda: digits(two.copy_speeds()[1]),
        "16-cores-copy": lambda: digits(sixteen.copy_speeds()[1]),
        "h200-custom": lambda: f"{h200.seconds('u32-custom', 24) / h200.seconds('u32', 24):.1f}",
        "h200-local": lambda: us(h200.seconds("u32", 10, algorithm="local")),
        "h200-radix-moves": lambda: accesses(h200, 17)[0],
        "h200-radix-fraction": lambda: accesses(h200, 17)[1],
    }
    for name, source in (("2-cores", two), ("16-cores", sixteen)):
        texts[f"{name}-date"] = source.date
    for kind in ("u32", *PAIRS):
        texts[f"2-cores-slowest-{kind}"] = lambda kind=kind: two.slowest_dist(kind, 24)[0]
        texts[f"2-cores-slowest-{kind}-rate"] = lambda kind=kind: two.slowest_dist(kind, 24)[1]
    return texts


def figures(two, avx2, avx512, sixteen, h100, h200, operations, files, scaling, ranks, group):
    """Returns the functions that make the figures, by name."""
    cases = [("u32", power) for power in range(14, 28, 2)]
    cases += [(kind, power) for kind in ("u64", "f32", *PAIRS) for power in (24, 26)]
    simd = ("np.sort", "vqsort", "std::sort", "std::stable_sort", "Boost.Compute")
    parallel = ("np.sort", "vqsort", "std::sort", "std::stable_sort", "tbb::parallel_sort", "block_indirect_sort")
    kinds = ("u32", "u64", "f32", *PAIRS)
    return {
        "h200-strongest": lambda: strongest(h200, ("u32", "u64", *PAIRS), (16, 20, 24, 28)),
        "2-cores-strongest": lambda: strongest(two, kinds, (12, 16, 20, 24, 26)),
        "16-cores-strongest": lambda: strongest(sixteen, kinds, (12, 16, 20, 24, 26, 28)),
        "slower-sizes": lambda: slower_sizes((two, sixteen)),
        "slower-other": lambda: slower_other((h200, h100, two, avx2)),
        "host-arrays": lambda: host_arrays((avx512, avx2, sixteen, h100), (12, 16, 20, 24, 26, 28)),
        "host-counts": lambda: host_counts((avx512, avx2, sixteen, h100)),
        "host-charts": lambda: host_charts((avx512, avx2, sixteen, h100)),
        "host-enqueue": lambda: enqueue_ratios((avx512, avx2, sixteen), (16, 18, 20, 22, 24, 26)),
        "merges": lambda: operations.merge_table((14, 17, 21, 24)),
        "files": files.table,
        "files-date": files.date,
        "scaling-errors": scaling.errors,
        "scaling-phases": scaling.phases,
        "scaling-levels": scaling.levels,
        "scaling-crossings": scaling.crossings,
        "scaling-date": scaling.date,
        "mpi": ranks.table,
        "mpi-date": ranks.date,
        "mpi-versions": ranks.versions,
        "group": group.table,
        "group-date": group.date,
        "group-speed": group.speed,
        "no-scratch": lambda: operations.no_scratch_table((14, 17, 20, 22)),
        "avx2-distributions": lambda: dists_relative(avx2, ("u32", "u64", *PAIRS), 24),
        "2-cores": lambda: peers_by_count(two, cases, simd),
        "2-cores-parallel": lambda: peers_by_count(
            two, [("u32", 24), ("u32", 26)], ("block_indirect_sort", "tbb::parallel_sort")
        ),
        "2-cores-distributions": lambda: dists_ms(two, ("u32", *PAIRS), 24),
        "16-cores-u32": lambda: contestants(sixteen, "u32", (20, 24, 28)),
        "16-cores": lambda: peers_by_count(sixteen, [(kind, 24) for kind in kinds[1:]], parallel),
        **gpu_figures("h100", h100),
        **gpu_figures("h200", h200),
        **sentences(two, avx2, sixteen, h100, h200, operations),
    }


# -- texts and charts --------------------------------------------------------------------------------------------------


class Places:
    """Rewrites the places in texts, and collects what differs."""

    def __init__(self, makers):
        self.makers = makers
        self.used = set()
        self.faults = []

    def rewrite(self, path, text):
        def fill(match):
            name, old = match["name"], match["text"]
            where = f"{path}:{text[: match.start()].count(chr(10)) + 1}"
            if name not in self.makers:
                sys.exit(f"figures.py: {where}: there is no figure named {name}")
            self.used.add(name)
            new = self.makers[name]()
            if old.split() == new.split():
                return match[0]
            self.faults.append(f"{where}: {name}: the text and the results differ")
            return match[1] + new + match[4]

        if len(MARK.findall(text)) != 2 * len(BLOCK.findall(text)) + 2 * len(INLINE.findall(text)):
            sys.exit(f"figures.py: {path}: a mark has no partner")
        text = BLOCK.sub(fill, text)
        return INLINE.sub(fill, text)


def chart_faults(sources):
    """Returns a list of (message, path, data) of the charts to draw. A chart without data is to be removed."""
    faults, known = [], set()
    for source in sources:
        for data in source.charts():
            path = os.path.join(source.folder, data["name"] + ".svg")
            known.add(os.path.normpath(path))
            svg = ""
            if os.path.exists(os.path.join(ROOT, path)):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    svg = file.read()
            if charts.hash_in(svg) != data["hash"]:
                faults.append((f"{os.path.normpath(path)}: the chart and the results differ", path, data))
    for folder, _, names in os.walk(os.path.join(ROOT, "docs/benchmarks")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith(".svg") and path not in known:
                faults.append((f"{path}: there are no results for this chart", path, None))
    return faults


def redraw(faults):
    """Draws or removes charts."""
    modules = charts.load_matplotlib() if any(data for _, data in faults) else None
    for path, data in faults:
        if data:
            draw = charts.draw_bars if "panels" in data else charts.draw
            draw(data, os.path.join(ROOT, path), modules)
        else:
            os.remove(os.path.join(ROOT, path))


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: figures.py [--check]")
    check = len(sys.argv) > 1
    sources = [
        Source("2 cores", ".", ""),
        Source("2 cores, AVX2", "2-cores-avx2", ""),
        Source("2 cores, AVX-512", "2-cores-avx512", ""),
        Source("16 cores", "16-cores", ""),
        Source("H100", ".", "h100-"),
        Source("H200", ".", "h200-"),
    ]
    operations = Operations(os.path.join(ROOT, "docs/benchmarks/2-cores-avx512"))
    files = Files(ROOT, "docs/benchmarks")
    scaling = Scaling(ROOT, "docs/benchmarks")
    ranks = Ranks(ROOT, "docs/benchmarks")
    group = Group(ROOT, "docs/benchmarks")
    places = Places(figures(*sources, operations, files, scaling, ranks, group))
    for path in TEXTS:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            old = file.read()
        new = places.rewrite(path, old)
        if new != old and not check:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(new)
    unused = [f"the figure {name} is in no text" for name in places.makers if name not in places.used]
    outdated = chart_faults([*sources, files, scaling])
    for fault in places.faults + unused + [message for message, _, _ in outdated]:
        print(f"figures.py: {fault}" if check or fault in unused else f"updated: {fault.partition(': ')[0]}")
    if check:
        sys.exit(1 if places.faults or unused or outdated else 0)
    redraw([(path, data) for _, path, data in outdated])
    sys.exit(1 if unused else 0)


if __name__ == "__main__":
    main()
