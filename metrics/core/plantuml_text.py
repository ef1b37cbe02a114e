"""What a reader sees of a PlantUML label."""

import re

from .mermaid_graph import decode_entities

_MARKUP = re.compile(
    r"</?(?:b|i|u|s|w|color|size|back|font|plain|sub|sup)\b[^<>]*>|<&[\w-]+>|<#\w+>", re.IGNORECASE
)
_CREOLE = re.compile(r"(\*\*|//|__|\"\"|--|~~)(?=\S)(.{1,200}?)(?<=\S)\1")
_UNICODE = re.compile(r"<U\+([0-9A-Fa-f]{4,5})>")
# Most labels have none of the signs that anything below is made of: one look tells.
_SIGNS = re.compile(r"[\\<*/_\"~&\nﬂ-]")


def label_text(label: str) -> str:
    r"""Return a label without markup, `\n` as a line end.

    >>> label_text(r"**Mix**\n<b>well</b> &#35;1")
    'Mix\nwell #1'
    """
    if not _SIGNS.search(label):
        return label.strip()
    text = label.replace("\\n", "\n").replace("\\l", "\n").replace("\\r", "\n")
    text = _MARKUP.sub("", text) if "<" in text else text
    text = _UNICODE.sub(lambda m: chr(int(m[1], 16)), text) if "<U+" in text else text
    text = _CREOLE.sub(r"\2", text)
    lines = (line.strip() for line in decode_entities(text).split("\n"))
    return "\n".join(lines).strip()
