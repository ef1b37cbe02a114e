"""What a reader sees of a DOT label: escapes, records, entities."""

import re
from collections.abc import Mapping

from .mermaid_graph import decode_entities

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_RECORD_PART = re.compile(r"\\.|<[^<>|{}]*>|[{}|]|[^\\<{}|]+|.", re.DOTALL)
_LINE_ENDS = {"n": "\n", "l": "\n", "r": "\n"}
_TAG = re.compile(r"<[^<>]*>")
_NEW_LINE_TAG = re.compile(r"<\s*br\b[^<>]*>|</\s*(?:tr|td)\s*>", re.IGNORECASE)


def label_text(label: str, names: Mapping[str, str]) -> str:
    r"""Return a label with its escapes carried out.

    Args:
        label: Text as written, quotes off.
        names: What the escapes stand for, by letter: N (node), G (graph), E, T, H (edge).

    >>> label_text(r"say \"\N\"\lnow\l", {"N": "a"})
    'say "a"\nnow'
    """
    text = _ESCAPE.sub(lambda m: _LINE_ENDS.get(m[1], names.get(m[1], m[1])), label)
    return decode_entities(text).strip()


def record_text(label: str, names: Mapping[str, str]) -> str:
    r"""Return the fields of a record label, one a line, ports left out.

    >>> record_text(r"{<top> A|{B|C\|D}}", {})
    'A\nB\nC|D'
    """
    fields = [""]
    for match in _RECORD_PART.finditer(label):
        part = match[0]
        if part in "{}|":
            fields.append("")
        elif not (part.startswith("<") and part.endswith(">")):
            fields[-1] += part
    texts = (label_text(field, names) for field in fields)
    return "\n".join(text for text in texts if text)


def html_text(markup: str) -> str:
    r"""Return the text of an HTML-like label: tags off, rows and breaks as line ends.

    >>> html_text("<b>Mix</b><br/>5 &lt; 6")
    'Mix\n5 < 6'
    """
    text = _TAG.sub("", _NEW_LINE_TAG.sub("\n", markup))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return decode_entities("\n".join(line for line in lines if line))
