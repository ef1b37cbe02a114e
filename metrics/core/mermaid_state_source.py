"""What mermaid.js does to code before it parses: front matter, directives, comments, entities.

Line numbers stay true: whatever is removed leaves its line ends behind.
"""

import html
import re

_FRONT_MATTER = re.compile(
    r"\s*?^([^\S\n]*)---[^\S\n]*\n(?:.*?\n)??\1---[^\S\n]*\n", re.DOTALL | re.MULTILINE
)
_DIRECTIVE = re.compile(r"%%\{.*?(?:\}%%|\Z)", re.DOTALL)
_COMMENT = re.compile(r"^[^\S\n]*%%(?!\{)[^\n]+", re.MULTILINE)
_TAG = re.compile(r"<[A-Za-z0-9_]+[^<>]*>")
_ATTRIBUTE = re.compile(r'="([^"]*)"')
_ENTITY = re.compile(r"#([A-Za-z0-9_]{1,64});")
# Private-use characters stand for `#` and `;`, so that no rule takes them for comment or end.
_HASH, _SEMICOLON = "\ue000", "\ue001"
_MARKED = re.compile(f"{_HASH}([A-Za-z0-9_]+){_SEMICOLON}")


def _line_ends(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def prepare(code: str) -> str:
    """Return the code that mermaid's grammar sees, ending in a line end."""
    text = code.replace("\r\n", "\n").replace("\r", "\n")
    text = _TAG.sub(lambda tag: _ATTRIBUTE.sub(r"='\1'", tag[0]), text)
    if front := _FRONT_MATTER.match(text):
        text = _line_ends(front) + text[front.end() :]
    text = _COMMENT.sub("", _DIRECTIVE.sub(_line_ends, text))
    return _ENTITY.sub(rf"{_HASH}\1{_SEMICOLON}", text) + "\n"


def _decode(match: re.Match[str]) -> str:
    name = match[1]
    return html.unescape(f"&#{name};" if name.isdecimal() else f"&{name};")


def decode_entities(text: str) -> str:
    """Return a text with the entities that `prepare` marked decoded.

    >>> decode_entities(prepare("a #35; b").strip())
    'a # b'
    """
    return _MARKED.sub(_decode, text) if _HASH in text else text
