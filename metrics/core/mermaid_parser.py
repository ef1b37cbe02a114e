"""Grammar of Mermaid flowcharts (`flow.jison` of mermaid.js 12.3.0) by recursive descent.

Every method reads one construct of the grammar; subgraphs are kept on a stack instead of the
call stack, so that nesting has no limit. Mermaid is particular about blanks (one after `]` is
refused in `subgraph a[b]` and allowed in `a[b]`), and so is this.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NoReturn

from .diagram import Diagram
from .mermaid_graph import FlowGraph, FlowGraphError, LinkStyle, link_style
from .mermaid_letters import SPACE, javascript_regex
from .mermaid_lexer import FlowSyntaxError, Tokens, tokenize
from .mermaid_shapes import BRACKET_SHAPES, DOUBLED_BRACKETS
from .mermaid_yaml import YamlError, YamlValue, load_yaml

_LINE_BREAK = javascript_regex(r"\n\s*")


def _kinds(names: str) -> frozenset[str]:
    return frozenset(names.split())


_HEADERS = ("flowchart", "graph", "swimlane-beta")
_ID = _kinds("NUMBER WORD DOWN MINUS DEFAULT COMMA COLON AMPERSAND HASH STAR LETTER")
_ALPHANUMERIC = (_ID - {"DEFAULT"}) | {"DIRECTION"}
_TEXT = frozenset({"TEXT", "TAG_START", "TAG_END", "LETTER"})
_LINK_TEXT = frozenset({"LINK_TEXT", "LETTER"})
_TITLE = _kinds(
    "NUMBER WORD SPACE MINUS AMPERSAND LETTER COLON STAR HASH STYLE LINK_STYLE CLASS_DEF CLASS "
    "CLICK GRAPH DIRECTION SUBGRAPH END DOWN UP LINK_START"
)
_STYLE = frozenset({"NUMBER", "WORD", "COLON", "SPACE", "HASH", "STYLE"})
_METADATA = frozenset({"METADATA_START", "METADATA", "METADATA_STRING"})
_BEHIND_VERTEX = _METADATA | {"SPACE"}
_SAYS_NOTHING = _kinds(
    "ACC_BLOCK NEWLINE SPACE SEMICOLON EOF "
    "DIRECTION_TB DIRECTION_BT DIRECTION_RL DIRECTION_LR DIRECTION_TD"
)
_LINK = frozenset({"LINK", "LINK_START", "LINK_ID"})


@dataclass(slots=True)
class _Frame:
    """A subgraph that is open, or the chart itself."""

    subgraph_id: str | None = None
    title: str = ""
    order: int = -1
    members: list[str] = field(default_factory=list)


def parse(text: str) -> Diagram:
    """Parse prepared code.

    Args:
        text: Code as `mermaid_source.prepare` gives it.

    Raises:
        FlowSyntaxError: mermaid.js refuses the code.
    """
    if not text.startswith(_HEADERS):
        raise FlowSyntaxError(0, "expected 'flowchart' or 'graph' first")
    return _Parser(text).chart()


def parse_lines(text: str) -> Diagram:
    """Parse prepared statements that have no header before them.

    Raises:
        FlowSyntaxError: mermaid.js refuses them.
    """
    return _Parser(text).lines()


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = Tokens([], [], [])
        self._kinds, self._texts, self._offsets = self._tokens
        self._batches = tokenize(text, self._tokens)
        next(self._batches)
        self._index = 0
        self._checked = 0
        self._graph = FlowGraph()
        self._frames = [_Frame()]
        self._opened = 0

    @property
    def _kind(self) -> str:
        return self._kinds[self._index]

    def _fail(self, expected: str) -> NoReturn:
        text = self._texts[self._index]
        if word := text.strip(SPACE):
            found = repr(word)
        else:
            found = "the line end" if "\n" in text else "a blank" if text else "the end"
        raise FlowSyntaxError(self._offsets[self._index], f"found {found}, expected {expected}")

    def _take(self, kind: str, expected: str) -> str:
        index = self._index
        if self._kinds[index] != kind:
            self._fail(expected)
        self._index = index + 1
        return self._texts[index]

    def _skip(self, kind: str) -> bool:
        if self._kinds[self._index] != kind:
            return False
        self._index += 1
        return True

    def _many(self, kinds: frozenset[str], expected: str) -> str:
        """Join the texts of one or more tokens."""
        start = end = self._index
        while self._kinds[end] in kinds:
            end += 1
        if end == start:
            self._fail(expected)
        self._index = end
        return self._texts[start] if end == start + 1 else "".join(self._texts[start:end])

    def chart(self) -> Diagram:
        """chart: GRAPH (NO_DIRECTION | DIRECTION end of header) line* ."""
        self._take("GRAPH", "'flowchart' or 'graph'")
        if self._skip("NO_DIRECTION"):
            self._graph.direction = "TB"
        else:
            sign = self._take("DIRECTION", "a direction").strip(SPACE)
            words = {"<": "RL", "^": "BT", ">": "LR", "v": "TB", "TD": "TB"}
            self._graph.direction = words.get(sign, sign)
            self._end_of_header()
        return self.lines()

    def lines(self) -> Diagram:
        """lines: (statement | separator | SPACE)* STOP."""
        try:
            kinds, statements = self._kinds, self._STATEMENTS
            while True:
                if self._index == len(kinds):
                    self._tokens.drop(self._index)
                    self._index = 0
                    next(self._batches)
                kind = kinds[self._index]
                if kind == "STOP":
                    break
                statement = statements.get(kind)
                if statement is None:
                    self._fail("a statement")
                statement(self)
        except (FlowGraphError, YamlError) as fault:
            raise FlowSyntaxError(self._checked, str(fault)) from fault
        if len(self._frames) > 1:
            self._fail("'end' of the subgraph")
        return self._graph.diagram()

    def _end_of_header(self) -> None:
        if self._skip("SPACE"):
            self._take("NEWLINE", "a line end after the direction")
        elif not (self._skip("SEMICOLON") or self._skip("NEWLINE")):
            self._fail("a line end after the direction")

    def _pass_over(self) -> None:
        self._index += 1

    def _end_of_statement(self) -> None:
        if self._kinds[self._index] not in ("NEWLINE", "SEMICOLON", "EOF"):
            self._fail("a link, ';' or a line end")
        self._index += 1

    def _subgraph(self) -> None:
        """subgraph: SUBGRAPH SPACE title (SQUARE_START text SQUARE_END)? separator line* END ."""
        self._index += 1
        self._take("SPACE", "a title")
        words = self._words(_TITLE, "a title")
        name: str | None = words.strip(SPACE)
        title = words
        if self._skip("SQUARE_START"):
            title = self._words(_TEXT, "a title")
            self._take("SQUARE_END", "']'")
        elif any(char in SPACE for char in words):
            name = None
        self._end_of_statement()
        self._frames.append(_Frame(name, title, self._opened))
        self._opened += 1

    def _end(self) -> None:
        if len(self._frames) == 1:
            self._fail("a statement")
        self._index += 1
        frame = self._frames.pop()
        name = self._graph.add_subgraph(frame.subgraph_id, frame.title, frame.members, frame.order)
        self._frames[-1].members.append(name)

    def _accessible(self) -> None:
        self._index += 1
        self._take("ACC_VALUE", "a text")

    def _class_definition(self) -> None:
        self._index += 1
        self._take("SPACE", "a class name")
        self._many(_ID, "a class name")
        self._take("SPACE", "styles")
        self._styles()
        self._end_of_statement()

    def _class(self) -> None:
        self._index += 1
        self._take("SPACE", "node ids")
        self._many(_ID, "node ids")
        self._take("SPACE", "a class name")
        self._many(_ID, "a class name")
        self._end_of_statement()

    def _style(self) -> None:
        self._index += 1
        self._take("SPACE", "a node id")
        vertex_id = self._many(_ID, "a node id")
        self._take("SPACE", "styles")
        self._styles()
        self._graph.add_vertex(vertex_id)
        self._end_of_statement()

    def _link_style(self) -> None:
        """linkStyle: LINK_STYLE SPACE links SPACE (styles | INTERPOLATE curve (SPACE styles)?)."""
        self._index += 1
        self._take("SPACE", "link numbers or 'default'")
        self._checked = self._offsets[self._index]
        numbers = [] if self._skip("DEFAULT") else self._numbers()
        self._take("SPACE", "styles")
        if self._skip("INTERPOLATE"):
            self._take("SPACE", "a curve")
            self._many(_ALPHANUMERIC, "a curve")
            if self._skip("SPACE"):
                self._styles()
        else:
            self._styles()
        for number in numbers:
            self._graph.check_link_number(number)
        self._end_of_statement()

    def _numbers(self) -> list[str]:
        numbers = [self._take("NUMBER", "link numbers or 'default'")]
        while self._skip("COMMA"):
            numbers.append(self._take("NUMBER", "a link number"))
        return numbers

    def _styles(self) -> None:
        """styles: style (COMMA style)* ."""
        self._many(_STYLE, "a style")
        while self._skip("COMMA"):
            self._many(_STYLE, "a style")

    def _click(self) -> None:
        """click: CLICK (callback | ALPHANUMERIC+) tooltip? | CLICK HREF? address ."""
        self._index += 1
        if self._skip("HREF") or self._kind == "STRING":
            self._address()
        else:
            if self._skip("CALLBACK"):
                self._skip("CALLBACK_ARGS")
            else:
                self._many(_ALPHANUMERIC, "an address or a callback")
            if self._skip("SPACE"):
                self._take("STRING", "a quoted tooltip")
        self._end_of_statement()

    def _address(self) -> None:
        """address: STRING (SPACE STRING)? (SPACE LINK_TARGET)? ."""
        self._take("STRING", "a quoted address")
        if self._skip("SPACE"):
            if not self._skip("STRING"):
                self._take("LINK_TARGET", "a quoted tooltip or a target")
            elif self._skip("SPACE"):
                self._take("LINK_TARGET", "a target")

    def _vertex_statement(self) -> None:
        """vertices: node (link node)* separator ."""
        groups = [self._node()]
        while self._kinds[self._index] in _LINK:
            link_id, style, label = self._link()
            groups.append(self._node())
            self._graph.add_links(groups[-2], groups[-1], style, label, link_id)
        self._end_of_statement()
        if len(self._frames) > 1:
            for group in reversed(groups):
                self._frames[-1].members += group

    def _node(self) -> list[str]:
        """node: vertex metadata? (SPACE AMPERSAND SPACE vertex metadata?)* SPACE? ."""
        ids = [self._vertex()]
        while self._kinds[self._index] in _BEHIND_VERTEX:
            if self._kind != "SPACE":
                self._graph.add_metadata(ids[-1], self._metadata())
            if not (self._skip("SPACE") and self._skip("AMPERSAND")):
                break
            self._take("SPACE", "a space after '&'")
            ids.append(self._vertex())
        return ids

    def _vertex(self) -> str:
        """vertex: id shape? (CLASS_SEPARATOR id)? ."""
        vertex_id = self._many(_ID, "a node")
        opening = self._kinds[self._index]
        if opening in BRACKET_SHAPES:
            self._index += 1
            label, shape = self._shape(opening)
            self._graph.add_vertex(vertex_id, label, shape)
        elif opening == "PROPERTIES_START":
            self._index += 1
            self._graph.add_vertex(vertex_id, self._with_property(), "rect")
        else:
            self._graph.add_vertex(vertex_id)
        if self._kinds[self._index] == "CLASS_SEPARATOR":
            self._index += 1
            self._many(_ID, "a class name")
        return vertex_id

    def _shape(self, opening: str) -> tuple[str, str]:
        if opening in DOUBLED_BRACKETS and self._skip(opening):
            label = self._words(_TEXT, "a label")
            (closing,) = BRACKET_SHAPES[opening]
            self._take(closing, "the label's closing brackets")
            self._take(closing, "the label's closing brackets")
            return label, DOUBLED_BRACKETS[opening]
        label = self._words(_TEXT, "a label")
        shape = BRACKET_SHAPES[opening].get(self._kind)
        if shape is None:
            self._fail("the label's closing bracket")
        self._index += 1
        return label, shape

    def _with_property(self) -> str:
        """property: PROPERTIES_START WORD COLON WORD PIPE text SQUARE_END ."""
        self._take("WORD", "a property")
        self._take("COLON", "':'")
        self._take("WORD", "a value")
        self._take("PIPE", "'|'")
        label = self._words(_TEXT, "a label")
        self._take("SQUARE_END", "']'")
        return label

    def _metadata(self) -> YamlValue:
        self._checked = self._offsets[self._index]
        parts = []
        while self._kind in _METADATA:
            kind, text = self._kind, self._texts[self._index]
            self._index += 1
            if kind == "METADATA_STRING":
                parts.append(_LINE_BREAK.sub("<br/>", text))
            elif kind == "METADATA":
                parts.append(text)
        text = "".join(parts)
        return load_yaml(f"{text}\n" if "\n" in text else "{\n" + text + "\n}")

    def _link(self) -> tuple[str, LinkStyle, str]:
        """link: LINK_ID? (LINK (PIPE text PIPE SPACE?)? | LINK_START link text LINK) ."""
        link_id = ""
        if self._kind == "LINK_ID":
            link_id = self._take("LINK_ID", "").replace("@", "", 1)
        if self._kind == "LINK_START":
            start = self._take("LINK_START", "")
            label = self._words(_LINK_TEXT, "the link's text")
            return link_id, link_style(self._take("LINK", "the link's end"), start), label
        style = link_style(self._take("LINK", "a link"))
        if not self._skip("PIPE"):
            return link_id, style, ""
        label = self._words(_TEXT, "the link's text")
        self._take("PIPE", "'|'")
        self._skip("SPACE")
        return link_id, style, label

    def _words(self, kinds: frozenset[str], expected: str) -> str:
        """text: (STRING | MARKDOWN | word) word* ."""
        if self._kind not in ("STRING", "MARKDOWN"):
            return self._many(kinds, expected)
        first = self._texts[self._index]
        self._index += 1
        return first + (self._many(kinds, expected) if self._kind in kinds else "")

    _STATEMENTS: ClassVar[dict[str, Callable[["_Parser"], None]]] = {
        "SUBGRAPH": _subgraph,
        "END": _end,
        "STYLE": _style,
        "LINK_STYLE": _link_style,
        "CLASS_DEF": _class_definition,
        "CLASS": _class,
        "CLICK": _click,
        "ACC_TITLE": _accessible,
        "ACC_DESCR": _accessible,
        **dict.fromkeys(_SAYS_NOTHING, _pass_over),
        **dict.fromkeys(_ID, _vertex_statement),
    }
