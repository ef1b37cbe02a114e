"""Generated code of known quality: gold diagrams with the errors that models make."""

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from metrics.core.elements import Elements
from metrics.core.matching import Element

INVENTED = ("validate input", "send report", "retry later", "archive record", "notify owner")


@dataclass(frozen=True, slots=True)
class Severity:
    """How much goes wrong.

    Attributes:
        name: What the made generator is called.
        rate: Expected share of the nodes, and of the links, that are hit; it differs from chart
            to chart, as models do better on some: uniform from 0 to twice the rate.
    """

    name: str
    rate: float


SEVERITIES = (Severity("slight", 0.05), Severity("medium", 0.15), Severity("severe", 0.35))


def corrupt(gold: Elements, rate: float, seed: str) -> Elements:
    """Return a diagram with errors.

    Nodes are dropped (with their links), renamed, misspelt, generated twice, or invented; links
    are dropped, reversed, or invented.

    Args:
        gold: The right elements.
        rate: Share of nodes and links that are hit, 0 to 1; 0 changes nothing.
        seed: Decides everything random.
    """
    rng = random.Random(seed)
    texts: dict[str, str | None] = {}
    nodes: list[Element] = []
    for (text,) in gold.nodes:
        new, extra = _corrupt_node(text, rng) if rng.random() < rate else (text, None)
        texts.setdefault(text, new)
        nodes += [(t,) for t in (new, extra) if t is not None]
    links: list[Element] = []
    for source, target, label in gold.links:
        ends = texts.get(source, source), texts.get(target, target)
        if ends[0] is None or ends[1] is None:
            continue
        link = (ends[0], ends[1], label)
        links += _corrupt_link(link, nodes, rng) if rng.random() < rate else [link]
    return Elements(tuple(nodes), tuple(links), gold.groups, "elements")


def misspell(text: str, rng: random.Random) -> str:
    """Change, drop, double or swap letters of a text: one of ten, at least one."""
    letters = list(text)
    for _ in range(max(1, len(letters) // 10)):
        place = rng.randrange(len(letters))
        kind = rng.choice(("change", "drop", "double", "swap"))
        if kind == "change":
            letters[place] = rng.choice(string.ascii_lowercase)
        elif kind == "drop" and len(letters) > 1:
            del letters[place]
        elif kind == "double":
            letters.insert(place, letters[place])
        elif place:
            letters[place - 1 : place + 1] = letters[place - 1 : place + 1][::-1]
    return "".join(letters)


def _corrupt_node(text: str, rng: random.Random) -> tuple[str | None, str | None]:
    """Return what the node became, and a node that came with it."""
    kinds: dict[str, Callable[[], tuple[str | None, str | None]]] = {
        "drop": lambda: (None, None),
        "rename": lambda: (rng.choice(INVENTED), None),
        "misspell": lambda: (misspell(text, rng), None),
        "twice": lambda: (text, text),
        "invent": lambda: (text, rng.choice(INVENTED)),
    }
    return kinds[rng.choice(sorted(kinds))]()


def _corrupt_link(link: Element, nodes: list[Element], rng: random.Random) -> list[Element]:
    source, target, label = link
    kind = rng.choice(("drop", "reverse", "invent"))
    if kind == "drop" or not nodes:
        return []
    if kind == "reverse":
        return [(target, source, label)]
    return [link, (rng.choice(nodes)[0], rng.choice(nodes)[0], "")]
