"""Texts of a picture in the forms that OCR services and vision-language models write them."""

from collections.abc import Mapping, Sequence
from typing import Any

from metrics.core.reply import hide_thoughts
from metrics.core.text_lines import Point, TextLine, bounding_box, quad, read_line, rectangle

Size = tuple[int, int]

NO_TEXT = "no text found"
"""What the reference-free paper's OCR prompt asks for where nothing is readable."""


def read_texts(value: Any, size: Size = (1, 1)) -> tuple[TextLine, ...]:
    """Read the texts of one picture.

    Understood are our own annotations and upstream FlowLearn's, PaddleOCR's results (versions
    2 and 3), Google Vision and Document AI, Azure Read, Amazon Textract, a plain list of
    texts, and a model's reply with a text on every line.

    Args:
        value: The decoded JSON value.
        size: Width and height of the picture, for services that give relative positions.

    Raises:
        ValueError: None of these forms.
    """
    if isinstance(value, str):
        return _reply(value)
    if isinstance(value, Mapping):
        return _object(value, size)
    if isinstance(value, Sequence):
        return _list(value, size)
    raise ValueError(f"expected texts as a list, an object or a reply, not {value!r:.60}")


def _reply(reply: str) -> tuple[TextLine, ...]:
    lines = [line.strip() for line in hide_thoughts(reply).splitlines()]
    texts = [line for line in lines if line and not line.startswith("```")]
    if len(texts) == 1 and texts[0].strip("'\".").lower() == NO_TEXT:
        return ()
    return tuple(TextLine(text) for text in texts)


def _object(value: Mapping[str, Any], size: Size) -> tuple[TextLine, ...]:
    if "rec_texts" in value:
        return paddle_v3(value)
    if isinstance(value.get("res"), Mapping):
        return _object(value["res"], size)
    if "Blocks" in value:
        return _textract(value["Blocks"], size)
    if "analyzeResult" in value:
        result = value["analyzeResult"]
        return _azure(result.get("pages") or result.get("readResults") or [], size)
    if isinstance(value.get("pages"), Sequence) and isinstance(value.get("text"), str):
        return _document_ai(value, size)
    if "textAnnotations" in value or "fullTextAnnotation" in value:
        return _google_vision(value)
    if isinstance(value.get("responses"), Sequence):
        return tuple(line for page in value["responses"] for line in _object(page, size))
    if "choices" in value:
        return _reply(str(value["choices"][0]["message"]["content"] or ""))
    if isinstance(value.get("response"), Mapping):
        return _object(value["response"].get("body", value["response"]), size)
    for key in ("texts", "lines", "text", "reply", "response", "content"):
        if key in value:
            return read_texts(value[key], size)
    raise ValueError(f"no texts found among the keys {', '.join(map(str, value))}")


def _list(values: Sequence[Any], size: Size) -> tuple[TextLine, ...]:
    if len(values) == 1 and (values[0] is None or _is_paddle_v2(values[0])):
        return paddle_v2(values)
    if values and all(map(_is_paddle_v2_line, values)):
        return paddle_v2([values])
    lines: list[TextLine] = []
    for value in values:
        if isinstance(value, Mapping) and not isinstance(value.get("text"), str):
            lines.extend(_object(value, size))
        else:
            lines.append(read_line(value))
    return tuple(lines)


def paddle_v2(result: Sequence[Any]) -> tuple[TextLine, ...]:
    """Read PaddleOCR 2's result: per picture a list of `[polygon, (text, score)]`, or None."""
    return tuple(
        TextLine(str(text), quad(polygon), float(score))
        for page in result
        for polygon, (text, score) in page or ()
    )


def paddle_v3(result: Mapping[str, Any]) -> tuple[TextLine, ...]:
    """Read PaddleOCR 3's result: parallel lists of texts, scores and polygons."""
    return tuple(
        TextLine(str(text), quad(polygon), float(score))
        for text, score, polygon in zip(
            result["rec_texts"], result["rec_scores"], result["rec_polys"], strict=True
        )
    )


def _is_paddle_v2_line(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and len(value) == 2
        and isinstance(value[1], Sequence)
        and len(value[1]) == 2
        and isinstance(value[1][0], str)
        and not isinstance(value[0], str)
    )


def _is_paddle_v2(page: Any) -> bool:
    return isinstance(page, Sequence) and bool(page) and all(map(_is_paddle_v2_line, page))


def _textract(blocks: Sequence[Mapping[str, Any]], size: Size) -> tuple[TextLine, ...]:
    return tuple(
        TextLine(block["Text"], quad(block["Geometry"]["Polygon"], size), block["Confidence"] / 100)
        for block in blocks
        if block.get("BlockType") == "LINE"
    )


def _azure(pages: Sequence[Mapping[str, Any]], size: Size) -> tuple[TextLine, ...]:
    lines = []
    for page in pages:
        # Pictures are measured in pixels, PDF pages in inches.
        inch = page.get("unit") == "inch"
        scale = (size[0] / page["width"], size[1] / page["height"]) if inch else (1, 1)
        for line in page.get("lines", ()):
            text = line.get("content", line.get("text", ""))
            corners = quad(line.get("polygon") or line.get("boundingBox") or ())
            polygon = tuple((x * scale[0], y * scale[1]) for x, y in corners)
            lines.append(TextLine(text, polygon))
    return tuple(lines)


def _document_ai(document: Mapping[str, Any], size: Size) -> tuple[TextLine, ...]:
    lines = []
    for page in document["pages"]:
        for line in page.get("lines", ()):
            layout = line["layout"]
            segments = layout.get("textAnchor", {}).get("textSegments", ())
            text = "".join(
                document["text"][int(part.get("startIndex", 0)) : int(part["endIndex"])]
                for part in segments
            )
            place = layout.get("boundingPoly", {})
            if "normalizedVertices" in place:
                polygon = quad(place["normalizedVertices"], size)
            else:
                polygon = quad(place.get("vertices", ()))
            lines.append(TextLine(text.strip(), polygon, layout.get("confidence")))
    return tuple(lines)


def _google_vision(value: Mapping[str, Any]) -> tuple[TextLine, ...]:
    """Read Google Vision: its words, joined to lines at the breaks it gives."""
    lines = []
    for page in value.get("fullTextAnnotation", {}).get("pages", ()):
        for block in page.get("blocks", ()):
            for paragraph in block.get("paragraphs", ()):
                lines.extend(_google_lines(paragraph))
    return tuple(lines)


def _google_lines(paragraph: Mapping[str, Any]) -> list[TextLine]:
    lines: list[TextLine] = []
    text, corners, scores = "", list[Point](), list[float]()
    for word in paragraph.get("words", ()):
        corners.extend(quad(word.get("boundingBox", {}).get("vertices", ())))
        scores.append(float(word.get("confidence", 1.0)))
        for symbol in word.get("symbols", ()):
            text += symbol.get("text", "")
            kind = symbol.get("property", {}).get("detectedBreak", {}).get("type")
            if kind in ("SPACE", "SURE_SPACE"):
                text += " "
        if kind in ("LINE_BREAK", "EOL_SURE_SPACE", "HYPHEN"):
            lines.append(_google_line(text, corners, scores))
            text, corners, scores = "", [], []
    if text:
        lines.append(_google_line(text, corners, scores))
    return lines


def _google_line(text: str, corners: list[Point], scores: list[float]) -> TextLine:
    polygon: tuple[Point, ...] = ()
    if corners:
        polygon = rectangle(*bounding_box(corners))
    return TextLine(text.strip(), polygon, min(scores))
