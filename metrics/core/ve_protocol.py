"""Visual entailment: what a model is asked about generated elements, and how it is understood.

Prompts are those of the reference-free paper, appendix A, with the typographic quotes of its print
written as the quotes and backticks that they stand for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from .elements import Elements
from .matching import Element
from .reply import hide_thoughts

MIN_BATCH = 3
"""Never fewer elements a call (paper, section 4.1)."""

MAX_BATCH = 12

GENERATION_PROMPT = """\
Generate the Mermaid code for the provided flowchart.
Make sure every node has a unique ID and the content of the nodes
should be enclosed in double quotes like this: A["node content"].
The flowchart should be in a format that can be directly used in a
Mermaid diagram. Do not include any other text or explanation, just
the Mermaid code.
Here is an example:
```mermaid
flowchart TD
A(["Start"]) --> B[/"Receive 'arr' and 'n'"/]
B --> C["Initialize loop index 'i' to 0"]
C --> D{"Check if arr[i] == i"}
D -->|"Yes"| E[/"Return index 'i' as fixed point"/]
E --> F(["End"])
D -->|"No"| G["Increment 'i'"]
G --> H{"i < n"}
H -->|"Yes"| D
H -->|"No"| I[/"Return -1 as no fixed point found"/]
I --> F
```"""
"""What the generating model is asked (appendix A.1)."""

OCR_PROMPT = """\
Extract all text from this image. Return only the text content,
with each distinct text element on a separate line.
If there's no readable text, return 'No text found'.
Do not include explanations or descriptions."""
"""What a model that reads the texts of a picture is asked (appendix A.2)."""

VE_PROMPT = """\
Look at this flowchart image carefully. For each element listed below,
determine if it is visually present in the image.
IMPORTANT:
- Answer with ONLY "yes" or "no" for each numbered item
- Follow the exact format: "1. yes" or "1. no" (one per line)
- Look carefully at all text, shapes, and connections in the image
- For nodes: Check if the specific node text/label is visible in any shape.
A node is a textual element insided a bordered shape like rectangle,
diamond, parallelogram and pink background and has an arrow pointing directly at it.
Text within a filled, unbordered dark shape is not a node.
- For edges: Check if the connection with the specified label (if any) exists
between the nodes.
- Tilde (`) and single quote (') can be interchangeable.
- If you cannot clearly see an element, answer "no"
Elements to check:
{elements}
Please respond in this exact format:
1. yes/no
2. yes/no
3. yes/no
(continue for all {count} elements)"""
"""What the verifying model is asked in one call (appendix A.3): see `ve_prompt`."""

_YES = "yes|y|true|present|✓|✔|✅|是"
_NO = "no|n|false|absent|✗|✘|❌|否"
_VERDICT = rf"(?P<verdict>{_YES}|{_NO})(?!\w|\s?/\s?(?:yes|no)\b)"
_IS_YES = re.compile(_YES, re.IGNORECASE)
# `1. yes`, `**2)** No`, `- 3: "yes"`, `| 4 | no |`, `"5": "yes"`, `Item 6 = no`
_NUMBERED = re.compile(
    rf"(?<![\w.])(?P<number>\d{{1,4}})[\s.)\]:|=*_\"'`>#-]{{1,8}}(?<!\d){_VERDICT}", re.IGNORECASE
)
_LINE_NUMBER = re.compile(
    r"[\W_]{0,12}(?:(?:item|element|node|edge|no)\W{1,3})?(\d{1,4})(?!\w)", re.I
)
_VERDICT_WORD = re.compile(rf"(?<!\w)(?<!/){_VERDICT}", re.IGNORECASE)
_LONE_VERDICT = re.compile(rf"[\W_]{{0,8}}{_VERDICT}\W{{0,8}}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VeAnswers:
    """What a reply says of each element that was asked about.

    Attributes:
        entailed: One verdict an element; what is missing or odd counts as no.
        missing: Elements without a line of their own.
        odd: Elements whose lines say neither yes nor no, or both.
        surplus: Lines about elements that were not asked about.
    """

    entailed: tuple[bool, ...]
    missing: int
    odd: int
    surplus: int


def element_texts(elements: Elements, edge_labels: bool = True) -> list[str]:
    """Return the elements in canonical order and wording: nodes, then edges, as generated.

    >>> element_texts(Elements(nodes=(("a",), ("b",)), links=(("a", "b", "yes"),)))
    ['Node: "a"', 'Node: "b"', 'Edge: "a" --> "b" with label "yes"']
    """
    return [
        *(f'Node: "{text}"' for (text,) in elements.nodes),
        *(_edge_text(link, edge_labels) for link in elements.links),
    ]


def _edge_text(link: Element, edge_labels: bool) -> str:
    source, target, label = link
    text = f'Edge: "{source}" --> "{target}"'
    return f'{text} with label "{label}"' if label and edge_labels else text


def batch_sizes(count: int) -> list[int]:
    """Split elements into calls: the more elements, the fewer a call, but never under three.

    A chart of 10 elements is asked about in one call of 10, one of 20 in calls of 6 to 7, one of
    60 in calls of three. The calls of a chart differ by one element at most.

    >>> batch_sizes(10), batch_sizes(20), batch_sizes(2)
    ([10], [7, 7, 6], [2])
    """
    if count <= 0:
        return []
    size = max(MIN_BATCH, MAX_BATCH - count // 5)
    calls = max(1, min(ceil(count / size), count // MIN_BATCH))
    return [count // calls + (call < count % calls) for call in range(calls)]


def batches(elements: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the elements of each call, see `batch_sizes`."""
    start = 0
    for size in batch_sizes(len(elements)):
        yield elements[start : start + size]
        start += size


def ve_prompt(elements: Sequence[str]) -> str:
    """Return the prompt of appendix A.3 for the elements of one call."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(elements, 1))
    return VE_PROMPT.format(elements=numbered, count=len(elements))


def read_ve_reply(reply: object, count: int) -> VeAnswers:
    r"""Read the numbered verdicts of one call.

    Args:
        reply: The model's reply; what is no text answers nothing.
        count: How many elements were asked about.

    >>> read_ve_reply("1. yes\n2) **No**", 3)
    VeAnswers(entailed=(True, False, False), missing=1, odd=0, surplus=0)
    """
    text = hide_thoughts(reply) if isinstance(reply, str) else ""
    verdicts: dict[int, set[bool | None]] = {}
    for line in text.splitlines():
        for number, verdict in _line_verdicts(line):
            verdicts.setdefault(number, set()).add(verdict)
    if not verdicts:
        verdicts = _unnumbered(text, count)
    asked = [verdicts.get(number) for number in range(1, count + 1)]
    return VeAnswers(
        entailed=tuple(found == {True} for found in asked),
        missing=sum(found is None for found in asked),
        odd=sum(found is not None and (len(found) > 1 or None in found) for found in asked),
        surplus=sum(not 1 <= number <= count for number in verdicts),
    )


def _line_verdicts(line: str) -> list[tuple[int, bool | None]]:
    found: list[tuple[int, bool | None]] = [
        (int(match["number"]), _is_yes(match)) for match in _NUMBERED.finditer(line)
    ]
    if found:
        return found
    start = _LINE_NUMBER.match(line)
    if start is None:
        return []
    # `3. Node "No": yes`: what a line repeats of the question comes first, the verdict last.
    words = list(_VERDICT_WORD.finditer(line, start.end()))
    if not words:
        return [(int(start[1]), None)]
    last = words[-1]
    at_end = not line[last.end() :].strip(" .!*_\"'`|)]}")
    agreed = len({_is_yes(word) for word in words}) == 1
    return [(int(start[1]), _is_yes(last) if at_end or agreed else None)]


def _unnumbered(text: str, count: int) -> dict[int, set[bool | None]]:
    """Read bare verdicts, one a line, where there are as many as there were questions."""
    bare = [_LONE_VERDICT.fullmatch(line) for line in text.splitlines() if line.strip(" [](){},")]
    if len(bare) == 1 and count > 1:
        words = [_LONE_VERDICT.fullmatch(word) for word in text.replace(",", " ").split()]
        bare = words
    if len(bare) != count or not all(bare):
        return {}
    return {number: {_is_yes(match)} for number, match in enumerate(bare, 1) if match}


def _is_yes(match: re.Match[str]) -> bool:
    return _IS_YES.fullmatch(match["verdict"]) is not None
