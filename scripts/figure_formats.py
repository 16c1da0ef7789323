"""figure_formats.py - formats of numbers and tables in the documentation, for figures.py"""

import math


def digits(value):
    """Returns the number with three significant digits."""
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def times(value):
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}" if value else ""


def ms(seconds):
    return digits(seconds * 1e3) if seconds else ""


def us(seconds):
    return digits(seconds * 1e6) if seconds else ""


def duration(seconds):
    return f"{ms(seconds)} ms" if seconds >= 1e-3 else f"{us(seconds)} us"


def code(who):
    return who if who == "Boost.Compute" else f"`{who}`"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines).replace("|  |", "| |").replace("|  |", "| |")
