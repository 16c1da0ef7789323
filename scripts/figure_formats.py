"""figure_formats.py - formats of numbers and tables in the documentation, for figures.py"""

import json
import math
import os


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


class Results:
    """The results of a script in FOLDER/NAME, below the root of the project: a line about the machine, then rows."""

    def __init__(self, root, folder, name):
        self.folder = folder
        with open(os.path.join(root, folder, name), encoding="utf-8") as file:
            items = [json.loads(line) for line in file]
        self.facts = items[0]["machine"]
        self.rows = items[1:]

    def date(self):
        return self.facts["date"][:10]
