"""`flowlearn parse`: diagram code in, nodes and links out, one JSON object a line."""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from metrics.core.diagram import Link
    from metrics.core.languages import Parsed

from cli.jsonl import read_jsonl, write_jsonl


def parse(
    jsonl: Annotated[
        str, typer.Option("--jsonl", metavar="FILE", help='Objects `{"code": …}`; `-` is stdin.')
    ],
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what the language's own parser refuses.")
    ] = False,
    language: Annotated[
        str,
        typer.Option(
            metavar="L",
            help="auto, mermaid (mermaid-flowchart, mermaid-state), dot or plantuml.",
        ),
    ] = "auto",
) -> None:
    r"""Parse diagrams: Mermaid flowcharts and state diagrams, GraphViz DOT, PlantUML.

    Reads one object a line and writes one a line, in the same order. Code may be a model's whole
    reply: its fence is found, its language detected, broken lines are read as a fair reader
    would, and what was left out is listed under `skipped`.

    Example: `echo '{"code": "graph LR; A[Mix] -->|well| B"}' | flowlearn parse --jsonl -` writes
    `{"ok": true, "language": "mermaid-flowchart", "direction": "LR", "nodes": [{"id": "A",
    "label": "Mix", "shape": "square"}, …], "links": [{"source": "A", "target": "B", "label":
    "well", "stroke": "normal", "arrow": "point"}], "groups": [], "skipped": [], "error": null}`.
    A link with a head at its start too (`A <--> B`) also has `"arrow_start"`.
    """
    from metrics.core.languages import resolve

    try:
        resolve(language)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--language") from error
    write_jsonl(_read(_watched(read_jsonl(jsonl)), language, strict=strict))


def _watched(items: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Count on a terminal, unless the results go there too."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, "parsing", console=Console(stderr=True), transient=True)


def _read(
    items: Iterable[dict[str, Any]], language: str, *, strict: bool
) -> Iterator[dict[str, Any]]:
    for item in items:
        yield parse_item(item.get("code"), language, strict=strict)


def parse_item(code: object, language: str = "auto", *, strict: bool = False) -> dict[str, Any]:
    """Return the output object for one code; whatever is wrong with it stands under `error`.

    Args:
        code: The code; anything but text is an error.
        language: As for `metrics.core.languages.parse`.
        strict: Refuse what the language's own parser refuses.
    """
    from metrics.core.diagram import Diagram, DiagramSyntaxError
    from metrics.core.languages import Parsed, detect, parse

    if not isinstance(code, str):
        kind = "nothing" if code is None else type(code).__name__
        return _output(Parsed(Diagram(), None), f"code must be a string, found {kind}")
    try:
        parsed = parse(code, language, strict=strict)
    except DiagramSyntaxError as error:
        name = detect(code) if language == "auto" else language
        return _output(Parsed(Diagram(), name), str(error))
    if parsed.language is None:
        return _output(parsed, "no diagram language recognized")
    if not strict and not (parsed.diagram.nodes or parsed.diagram.groups):
        return _output(parsed, "no diagram found")
    return _output(parsed, None)


def _output(parsed: "Parsed", error: str | None) -> dict[str, Any]:
    diagram = parsed.diagram
    return {
        "ok": error is None,
        "language": parsed.language,
        "direction": diagram.direction,
        "nodes": [{"id": n.id, "label": n.label, "shape": n.shape} for n in diagram.nodes],
        "links": list(map(_link, diagram.links)),
        "groups": [
            {"id": g.id, "label": g.label, "members": list(g.members)} for g in diagram.groups
        ],
        "skipped": [{"line": s.line, "text": s.text, "reason": s.reason} for s in diagram.skipped],
        "error": error,
    }


def _link(link: "Link") -> dict[str, str]:
    """Return a link's object; the head at its start is named only where there is one."""
    output = {
        "source": link.source,
        "target": link.target,
        "label": link.label,
        "stroke": link.stroke,
        "arrow": link.arrow,
    }
    return output if link.arrow_start == "none" else output | {"arrow_start": link.arrow_start}
