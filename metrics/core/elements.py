"""From a model's reply to the texts of its diagram: the elements that metrics compare."""

import re
from dataclasses import dataclass
from typing import Literal

from .diagram import Diagram, DiagramSyntaxError, Link, Skipped
from .languages import parse
from .matching import Element, normalize_text
from .mermaid_paper import read_paper
from .reply import find_code

Mode = Literal["paper", "lenient"]

_LINE_BREAK = re.compile(r"<br\s{0,9}/?>|\\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of a diagram and how they were read.

    Attributes:
        nodes: `(text,)` of each node.
        links: `(source text, target text, label)` of each link.
        groups: `(title,)` of each box round nodes.
        reading: How the text was read: `fence`, `unclosed_fence`, `no_fence` (code without one),
            `not_a_diagram`, `refusal`, `empty` or `missing` (no text at all).
        skipped: Lines that the recovering parser could not use.
        undirected: Indices of links whose two ends look alike, as of `---` and `<-->`: a picture
            shows no direction of them, so that they are true either way round.
    """

    nodes: tuple[Element, ...] = ()
    links: tuple[Element, ...] = ()
    groups: tuple[Element, ...] = ()
    reading: str = "missing"
    skipped: tuple[Skipped, ...] = ()
    undirected: tuple[int, ...] = ()


def read_elements(reply: object, mode: Mode, language: str = "mermaid") -> Elements:
    r"""Read the diagram in a reply.

    Args:
        reply: The model's whole reply; what is no text has no elements.
        mode: `paper` reads the first closed fence as the published scores do (`mermaid_paper`),
            texts as they stand; `lenient` reads as a careful person does (recovering parser, any
            or no fence) and normalizes texts (`normalize_text`, line breaks as spaces).
        language: Lenient mode's diagram language, e.g. `mermaid` or `dot`; `auto` detects it.

    >>> read_elements("```\nflowchart LR\na(mix) --> b\n```", "paper").links
    (('mix', 'b', ''),)
    """
    if not isinstance(reply, str):
        return Elements()
    passage = find_code(reply, "paper" if mode == "paper" else "meaning")
    if mode == "paper":
        diagram = read_paper(passage.text)
    elif passage.text:
        diagram = parse(reply, language).diagram
    else:
        diagram = Diagram()
    reading: str = passage.reading
    if not diagram.nodes and passage.text.strip():
        reading = "not_a_diagram"
    return _elements(diagram, mode, reading)


def read_gold(text: str, mode: Mode, language: str = "mermaid") -> Elements:
    """Read a gold diagram, which may stand in a closed fence or alone.

    Raises:
        ValueError: There is no diagram in it; a diagram without nodes is one.
    """
    if mode == "paper":
        passage = find_code(text, "paper")
        code = passage.text if passage.reading == "fence" else text
        elements = _elements(read_paper(code), mode, passage.reading)
    else:
        elements = read_elements(text, mode, language)
    if not elements.nodes:
        try:
            parse(text, language, strict=True)
        except DiagramSyntaxError as error:
            raise ValueError(f"no diagram: {error}") from error
    return elements


def _elements(diagram: Diagram, mode: Mode, reading: str) -> Elements:
    shown = str if mode == "paper" else _as_read
    labels = {id: shown(label) for id, label in diagram.labels().items()}
    nodes = diagram.nodes
    if mode == "lenient":
        # A link to a group makes a node of its id, which nobody sees beside the group itself.
        groups = {group.id for group in diagram.groups}
        nodes = tuple(node for node in nodes if node.id not in groups or node.label != node.id)

    def link(item: Link) -> Element:
        ends = item.source, item.target
        if item.arrow == "none" and item.arrow_start != "none":
            ends = ends[::-1]
        source, target = (labels[end] if end in labels else shown(end) for end in ends)
        return source, target, shown(item.label) if item.label else ""

    return Elements(
        nodes=tuple((labels[node.id],) for node in nodes),
        links=tuple(link(item) for item in diagram.links),
        groups=tuple((labels[group.id],) for group in diagram.groups),
        reading=reading,
        skipped=diagram.skipped,
        undirected=tuple(
            index
            for index, item in enumerate(diagram.links)
            if (item.arrow == "none") == (item.arrow_start == "none")
        ),
    )


def _as_read(text: str) -> str:
    """Return a label as its reader sees it, on one line."""
    if "<" in text or "\\" in text:
        text = _LINE_BREAK.sub(" ", text)
    return normalize_text(text)
