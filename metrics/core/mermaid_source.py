"""What mermaid.js does to code before it parses it, as a list of edits per step.

Front matter, directives and comments go, line ends and HTML attributes are made uniform, and
entities (`#35;`) are hidden behind signs that mean nothing to the lexer. Each step is a list of
edits, so an offset in the prepared text can be led back to the code as it was written.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .mermaid_letters import SPACE, javascript_regex
from .mermaid_yaml import YamlError, load_yaml


class Edit(NamedTuple):
    """A piece of text to replace, `text[start:end]`, and what stands there afterwards."""

    start: int
    end: int
    new: str


class FrontMatterError(ValueError):
    """Front matter that is not YAML."""


_CARRIAGE_RETURN = re.compile(r"\r\n?")
_TAG = re.compile(r"<(\w+)([^>]*)>", re.ASCII)
_DOUBLE_QUOTED_VALUE = re.compile(r'="([^"]*)"')
_DIRECTIVE = javascript_regex(
    r"%%\{\s*(?:\w+\s*:|\w+)\s*(?:\w+|(?:(?!\}%%)[^\n\r\u2028\u2029]|\r?\n)*)?\s*(?:\}%%)?"
)
_COMMENT = javascript_regex(r"^\s*(%%(?!\{)[^\n]+\n?)?", re.MULTILINE)
_ENTITY = re.compile(r"#(\w+);", re.ASCII)
_SPACE_AFTER_BRACE = javascript_regex(r"\}(\s+)\n")
_LEADING_SPACE = javascript_regex(r"\s+")


def _line_ends(text: str) -> Iterator[Edit]:
    for match in _CARRIAGE_RETURN.finditer(text):
        yield Edit(match.start(), match.end(), "\n")


def _html_attributes(text: str) -> Iterator[Edit]:
    """Put attribute values in single quotes, since a double quote would end the label."""
    # Past the last `>` no tag can close: searching there would take quadratic time.
    for match in _TAG.finditer(text, 0, text.rfind(">") + 1):
        for value in _DOUBLE_QUOTED_VALUE.finditer(match[2]):
            start = match.start(2) + value.start()
            yield Edit(start, start + len(value[0]), f"='{value[1]}'")


def _front_matter(text: str) -> Iterator[Edit]:
    span = _find_front_matter(text)
    if span is None:
        return
    indent, body, end = span
    lines = [line.removeprefix(indent) for line in body.split("\n")]
    try:
        load_yaml("\n".join(lines))
    except YamlError as fault:
        raise FrontMatterError(f"front matter is not YAML: {fault}") from fault
    yield Edit(0, end, "")


def _find_front_matter(text: str) -> tuple[str, str, int] | None:
    """Return indent, body and end of a front matter block.

    The opening fence takes as many blank lines as leave a closing fence behind; the body ends at
    the first fence after it (the backtracking result of mermaid's expression).
    """
    start = len(text) - len(text.lstrip(SPACE.replace("\n", "")))
    indent = text[:start]
    if not text.startswith("---", start):
        return None
    blank_end = start + 3 + _space_length(text, start + 3)
    openings = [i for i in range(start + 3, blank_end) if text[i] == "\n"]
    if not openings:
        return None
    fence = re.compile(rf"\n{re.escape(indent)}---(?=([{SPACE}]*))")
    closings = [m for m in fence.finditer(text, openings[0] + 1) if "\n" in m[1]]
    if not closings:
        return None
    opening = max(i for i in openings if i == openings[0] or i < closings[-1].start())
    closing = next(m for m in closings if m.start() > opening)
    return (
        indent,
        text[opening + 1 : closing.start()],
        closing.start(1) + closing[1].rfind("\n") + 1,
    )


def _space_length(text: str, start: int) -> int:
    match = _LEADING_SPACE.match(text, start)
    return len(match[0]) if match else 0


def _directives(text: str) -> Iterator[Edit]:
    for match in _DIRECTIVE.finditer(text):
        yield Edit(match.start(), match.end(), "")


def _comments(text: str) -> Iterator[Edit]:
    for match in _COMMENT.finditer(text):
        if match[1]:
            yield Edit(match.start(), match.end(), "")


def _leading_space(text: str) -> Iterator[Edit]:
    if length := _space_length(text, 0):
        yield Edit(0, length, "")


def _style_semicolons(keyword: str) -> "_Step":
    """Drop the last `;` of a style line with a colour, which else would end an entity."""

    def step(text: str) -> Iterator[Edit]:
        offset = 0
        for line in text.split("\n"):
            start, end = line.find(keyword), line.rfind(";")
            if 0 <= start < end and _has_colour(line[start + len(keyword) : end]):
                yield Edit(offset + end, offset + end + 1, "")
            offset += len(line) + 1

    return step


def _has_colour(declarations: str) -> bool:
    """Tell whether `:` is followed by `#` in one word."""
    return any(":" in word and "#" in word[word.find(":") :] for word in declarations.split())


def _entities(text: str) -> Iterator[Edit]:
    for match in _ENTITY.finditer(text):
        sign = "ﬂ°°" if match[1].isdigit() else "ﬂ°"
        yield Edit(match.start(), match.end(), f"{sign}{match[1]}¶ß")


def _last_line_end(text: str) -> Iterator[Edit]:
    yield Edit(len(text), len(text), "\n")


def _space_after_braces(text: str) -> Iterator[Edit]:
    for match in _SPACE_AFTER_BRACE.finditer(text):
        yield Edit(match.start(1), match.end(1), "")


_Step = Callable[[str], Iterator[Edit]]
# Every step with a text without which it has nothing to do.
_STEPS: tuple[tuple[str, _Step], ...] = (
    ("\r", _line_ends),
    ('="', _html_attributes),
    ("---", _front_matter),
    ("%%{", _directives),
    ("%%", _comments),
    ("", _leading_space),
    ("style", _style_semicolons("style")),
    ("classDef", _style_semicolons("classDef")),
    ("#", _entities),
    ("", _last_line_end),
    ("}", _space_after_braces),
)
# Most lines need no step but the one that ends them.
_TRIGGER = re.compile("|".join([*(re.escape(t) for t, _ in _STEPS if t), rf"^[{SPACE}]"]))


def _apply(text: str, edits: list[Edit]) -> str:
    parts = []
    done = 0
    for edit in edits:
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])


def _offset_before(edits: list[Edit], offset: int) -> int:
    """Lead an offset back over one step's edits."""
    shift = 0
    for edit in edits:
        if offset < edit.start + shift:
            break
        if offset < edit.start + shift + len(edit.new):
            return edit.start
        shift += len(edit.new) - (edit.end - edit.start)
    return offset - shift


def prepare(code: str) -> str:
    """Return code as mermaid.js gives it to its parser.

    Raises:
        FrontMatterError: The front matter is not YAML.
    """
    if not _TRIGGER.search(code):
        return f"{code}\n"
    text = code
    for trigger, step in _STEPS:
        if trigger in text and (edits := list(step(text))):
            text = _apply(text, edits)
    return text


def written_position(code: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column in the code of an offset in `prepare(code)`."""
    text = code
    history = []
    for trigger, step in _STEPS:
        edits = list(step(text)) if trigger in text else []
        history.append(edits)
        text = _apply(text, edits)
    for edits in reversed(history):
        offset = _offset_before(edits, offset)
    lines = re.split(r"\r\n?|\n", code[:offset])
    return len(lines), len(lines[-1]) + 1
