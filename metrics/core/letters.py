"""Writing a reply in plain letters, character for character, so that spans stay true.

Full-width, circled, squared and mathematical letters, Greek and Cyrillic look-alikes, typographic
quotes and invisible characters all name the same options as their plain forms.
"""

import re
import unicodedata

_STYLED = (
    (0x00A0, 0x00A1),  # no-break space
    (0x2000, 0x200B),  # typographic spaces
    (0x2460, 0x2500),  # circled and parenthesized digits and letters
    (0x2776, 0x2794),  # dingbat digits
    (0x3000, 0x3001),  # ideographic space
    (0xFF01, 0xFF5F),  # full-width forms
    (0x1D400, 0x1D800),  # mathematical letters and digits
    (0x1F100, 0x1F200),  # squared and enclosed letters, regional indicators
)
_NAMED = re.compile(
    r"(?:PARENTHESIZED|NEGATIVE CIRCLED|NEGATIVE SQUARED|CROSSED NEGATIVE SQUARED|SQUARED|CIRCLED"
    r"|REGIONAL INDICATOR SYMBOL|DOUBLE CIRCLED|DINGBAT .*) "
    r"(?:LATIN (?:CAPITAL|SMALL) )?(?:LETTER ([A-Z])|DIGIT ([A-Z]+))"
)
_DIGITS = ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]


def _plain(code: int) -> str | None:
    """Return the one plain character that a styled character stands for."""
    character = chr(code)
    named = _NAMED.match(unicodedata.name(character, ""))
    if named and (named[1] or named[2] in _DIGITS):
        return named[1] or str(_DIGITS.index(named[2]))
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else None


_TABLE: dict[int, str] = {
    code: plain
    for first, last in _STYLED
    for code in range(first, last)
    if (plain := _plain(code)) is not None
}
# Negative circled and squared letters have no compatibility form in Unicode.
_TABLE |= {code: chr(65 + (code - 0x1F150) % 32) for code in range(0x1F150, 0x1F16A)}
_TABLE |= {code: chr(65 + code - 0x1F170) for code in range(0x1F170, 0x1F18A)}
_TABLE |= dict.fromkeys(
    [*range(0x200B, 0x2010), 0x2060, 0xFEFF, 0xFE0E, 0xFE0F, 0x20E3, 0x1F3FB, 0x00AD], " "
)
_TABLE |= dict.fromkeys(map(ord, "‘’ʼ′`´"), "'") | dict.fromkeys(map(ord, "“”„‟«»″\x93\x94"), '"')
_TABLE |= dict.fromkeys(map(ord, "‐‑−"), "-")

# A look-alike counts only where it stands alone: inside a word it is a letter of that word.
_LOOK_ALIKE = re.compile(r"(?<![\w'])[АВСЕНІΑΒΕΗΙавсеі](?![\w'])")
_LATIN_OF = str.maketrans("АВСЕНІΑΒΕΗΙавсеі", "ABCEHIABEHIabcei")


def fold(text: str) -> str:
    """Return a text of the same length in plain characters.

    >>> fold("Ⓑ, Ｃ) and 🅰")
    'B, C) and A'
    """
    if text.isascii():
        return text
    plain = text.translate(_TABLE)
    return _LOOK_ALIKE.sub(lambda match: match[0].translate(_LATIN_OF), plain)


def lower(text: str) -> str:
    """Return a text of the same length in lower case.

    >>> len(lower("İ")), lower("ABC")
    (1, 'abc')
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)
