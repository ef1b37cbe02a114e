import io
import json

import jsonschema
import numpy as np
import pytest
from lxml import etree
from PIL import Image

from builders.simulated.browser import Browser, DrawingError, fast_mermaid
from builders.simulated.config import load_config
from builders.simulated.fonts import chart_fonts, default_font_path
from builders.simulated.legibility import THEME_LINK_COLOURS, link_contrast
from builders.simulated.raster import check_shaping, load_engine, rasterize
from builders.simulated.recipe import json_parts, row_schema
from builders.simulated.rows import RowMaker
from builders.simulated.verify import deviations, differing_pixels
from builders.toolchain import mermaid_source
from common.errors import UserError

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PRESETS = ("flowlearn-word", "flowlearn-char", "rich")


@pytest.mark.parametrize("preset", PRESETS)
def test_annotations_are_where_a_fresh_page_and_the_pixels_say(preset, drawn_rows, fresh_page):
    rows, fonts = drawn_rows[preset]
    tips = 0
    for row in rows:
        found = deviations(row, fresh_page.measure(row["svg"]), fonts)
        assert max(found.boxes) < 0.1
        assert max(found.texts) < 0.1
        assert max(found.tips, default=0) <= 1
        assert found.off_stroke < 0.01
        tips += len(found.tips)
    assert tips > len(rows)


@pytest.mark.parametrize(
    ("engine", "most"), [("lunasvg", 0.01), ("resvg", 0.01), ("cairosvg", 0.04)]
)
@pytest.mark.parametrize("preset", PRESETS)
def test_rasterizers_draw_what_the_browser_shows(preset, engine, most, drawn_rows, fresh_page):
    try:
        load_engine(engine)
    except UserError as error:
        pytest.skip(error.problem)
    rows, fonts = drawn_rows[preset]
    for row in rows[:4]:
        size = (row["width"], row["height"])
        shown = fresh_page.screenshot(row["svg"], *size)
        assert differing_pixels(rasterize(row["svg"], size, engine, fonts), shown) < most


@pytest.mark.parametrize("preset", PRESETS)
def test_rows_are_whole(preset, drawn_rows):
    rows, _ = drawn_rows[preset]
    validator = jsonschema.Draft202012Validator(row_schema())
    for row in rows:
        validator.validate(json.loads(json.dumps(json_parts(row))))
        picture = Image.open(io.BytesIO(row["image"]["bytes"]))
        assert (picture.format, picture.size) == ("JPEG", (row["width"], row["height"]))
        root = etree.fromstring(row["svg"].encode())
        assert (root.get("width"), root.get("height")) == tuple(map(str, picture.size))
        assert not root.findall(".//{*}foreignObject")
        words = " ".join(e.text for e in root.iter("{*}text"))
        assert all(word in words for node in row["nodes"] for word in node["label"].split())
        limits = np.array([*picture.size, *picture.size])
        for node in row["nodes"]:
            box, text = np.array(node["box"]), np.array(node["text_box"])
            assert (box >= 0).all()
            assert (box <= limits).all()
            if preset != "rich":
                assert (text[:2] > box[:2]).all()
                assert (text[2:] < box[2:]).all()


def test_the_schema_refuses_a_wrong_part(drawn_rows):
    parts = json.loads(json.dumps(json_parts(drawn_rows["rich"][0][0])))
    for change in (
        {"nodes": []},
        {"links": [{"source": "a"}]},
        {"parameters": {}},
        {"extra": 1},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**parts, **change}, row_schema())


def test_fonts_of_other_configurations_change_nothing(drawn_rows):
    # lunasvg remembers every font it was given; the letters' one has no lower case.
    rows, fonts = drawn_rows["flowlearn-word"]
    size = (rows[0]["width"], rows[0]["height"])
    before = rasterize(rows[0]["svg"], size, "lunasvg", fonts)
    letters, letter_fonts = drawn_rows["flowlearn-char"]
    other = (letters[0]["width"], letters[0]["height"])
    rasterize(letters[0]["svg"], other, "lunasvg", letter_fonts)
    assert rasterize(rows[0]["svg"], size, "lunasvg", fonts) == before
    assert len({font.family for font in (*fonts, *letter_fonts)}) == 2


def test_no_text_is_covered(drawn_rows):
    for rows, _ in drawn_rows.values():
        for row in rows:
            texts = [x["label_box"] for x in row["links"] if len(x["label_box"])]
            texts += [group["text_box"] for group in row["groups"]]
            boxes = [node["box"] for node in row["nodes"]]
            for i, (a0, a1, a2, a3) in enumerate(texts):
                for b0, b1, b2, b3 in texts[i + 1 :] + boxes:
                    assert a2 <= b0 or b2 <= a0 or a3 <= b1 or b3 <= a1


def test_any_order_gives_the_same_rows(drawn_rows):
    rows, _ = drawn_rows["flowlearn-word"]
    with RowMaker(load_config()) as maker:
        again = {row["id"]: row for row in maker.rows([7, 0, 3])}
    assert again == {str(i): rows[i] for i in (7, 0, 3)}


def test_the_faster_mermaid_draws_the_same(drawn_rows):
    rows, fonts = drawn_rows["rich"]
    codes = [row["mermaid"] for row in rows]
    drawings = []
    for fast in (True, False):
        with Browser("default", 200, fonts, fast=fast) as browser:
            drawings.append(browser.draw(codes))
    assert drawings[0] == drawings[1]


def test_another_mermaid_is_refused():
    with pytest.raises(UserError, match="not the pinned version"):
        fast_mermaid(mermaid_source().replace("getConfig", "getSomething"))


NASTY = [
    "end", "End of day", "default", "class", "graph", "subgraph one", "style", "click me", "o", "x",
    "oxen", 'say "hi"', "it's", "[bracket]", "(paren)", "{brace}", "a#b", "a;b", "a%%b", "100%",
    "<b>bold</b>", "a & b", "&amp;", "`code`", "**bold**", "_under_", "a|b", "a\\b", "a/b",
    "--> arrow", "1. item", "- dash", "@at", "$10", "naïve café", "Привет мир", "Ελληνικά",
    "שלום עולם", "مرحبا بالعالم", "emoji 😀", "abcdefghijkl" * 5, "a:b", "http://example.com",
    "a\\nb", "été́", "fa:fa-car",
]  # fmt: skip


@pytest.fixture(scope="module")
def nasty_rows(tmp_path_factory):
    words = tmp_path_factory.mktemp("words") / "nasty.txt"
    # A line that starts with # is a comment: none of the words does.
    words.write_text("\n".join(NASTY), encoding="utf-8")
    config = load_config(
        label_style="list", word_list=str(words), min_nodes=23, max_nodes=23, max_label_chars=80,
        rasterizer="resvg", node_shapes={"rounded": 1, "doc": 1}, link_label_rate=1,
    )  # fmt: skip
    with RowMaker(config) as maker:
        return list(maker.rows(range(6))), maker.fonts


def test_words_that_mermaid_trips_over_are_drawn_and_annotated_right(nasty_rows, fresh_page):
    rows, fonts = nasty_rows
    seen = {node["label"] for row in rows for node in row["nodes"]}
    assert seen == set(NASTY)
    for row in rows:
        # That the code parses to these labels was checked when the row was made.
        found = deviations(row, fresh_page.measure(row["svg"]), fonts)
        assert max(found.boxes) < 0.1
        assert max(found.texts) < 0.1
        shown = fresh_page.screenshot(row["svg"], row["width"], row["height"])
        drawn = rasterize(row["svg"], shown.size, "resvg", fonts)
        assert differing_pixels(drawn, shown) < 0.01


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("日本語", r"no font has 3 of the characters: U\+65E5 U\+672C U\+8A9E"),
        ("tab\tin", r"no font has 1 of the characters: U\+0009"),
        ("👩‍👩‍👧", "no font has"),
    ],
)
def test_characters_without_a_font_are_refused(text, message):
    with pytest.raises(UserError, match=message) as error:
        chart_fonts(frozenset(text))
    assert "fallback_fonts" in str(error.value)


def test_a_fallback_font_must_be_readable(tmp_path):
    font = tmp_path / "broken.ttf"
    font.write_bytes(b"not a font")
    with pytest.raises(UserError, match=r"font .*broken\.ttf"):
        chart_fonts(frozenset("語"), [str(font)])


@pytest.fixture(scope="module")
def watches(tmp_path_factory):
    """A configuration whose labels need a second font."""
    words = tmp_path_factory.mktemp("words") / "watches.txt"
    words.write_text("plain\nscript \u210a\nmixed a\u231ab\n", encoding="utf-8")
    fallback = str(default_font_path().with_name("STIXGeneral.ttf"))
    keys = {"label_style": "list", "word_list": str(words), "min_nodes": 3, "max_nodes": 3}
    return {**keys, "fallback_fonts": [fallback], "rasterizer": "resvg"}


@pytest.fixture(scope="module")
def watch_row(watches):
    with RowMaker(load_config(**watches)) as maker:
        return next(iter(maker.rows([0]))), maker.fonts


def test_a_fallback_font_draws_what_dejavu_lacks(watch_row, fresh_page):
    row, fonts = watch_row
    assert len(fonts) == 2
    found = deviations(row, fresh_page.measure(row["svg"]), fonts)
    # A page's box is as high as the second font's lines, ours as the first's lines and all ink.
    assert max(found.texts) < 3
    shown = fresh_page.screenshot(row["svg"], row["width"], row["height"])
    assert differing_pixels(rasterize(row["svg"], shown.size, "resvg", fonts), shown) < 0.01


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rasterizer": "lunasvg"}, r"draws a text in one font.*\n.*resvg"),
        ({"fallback_fonts": []}, r"no font has 2 of the characters: U\+210A U\+231A"),
    ],
)
def test_labels_without_the_right_font_or_engine_are_refused(watches, changes, message):
    with pytest.raises(UserError, match=message):
        RowMaker(load_config(**{**watches, **changes}))


@pytest.mark.parametrize("theme", THEME_LINK_COLOURS)
def test_links_have_the_colour_that_their_theme_is_known_for(theme):
    background = "000000" if theme == "dark" else "FFFFFF"
    config = load_config(theme=theme, backgrounds={background: 1}, max_nodes=4)
    with RowMaker(config) as maker:
        row = next(iter(maker.rows([0])))
    measured = json.loads(row["parameters"])["link_contrast"]
    assert measured == pytest.approx(link_contrast(theme, background), abs=0.01)


@pytest.mark.parametrize("text", ["שלום", "مرحبا", "e\u0301"])
def test_engines_that_cannot_shape_refuse(text):
    with pytest.raises(UserError, match="set `rasterizer` to resvg"):
        check_shaping(text, "lunasvg")
    check_shaping(text, "resvg")


def test_code_that_mermaid_refuses_is_an_error_not_a_crash(drawn_rows):
    with Browser("default", 200, drawn_rows["rich"][1]) as browser:
        good, bad = browser.draw(["flowchart TB\na --> b", "flowchart TB\na --> "])
    assert not isinstance(good, DrawingError)
    assert isinstance(bad, DrawingError)
    assert "line" in str(bad).lower()


def test_the_page_reaches_no_network_and_runs_no_other_script(drawn_rows):
    code = (
        "flowchart TB\n"
        'a["<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"]\n'
        'click a "javascript:window.pwned=1"\n'
    )
    with Browser("default", 200, drawn_rows["rich"][1]) as browser:
        browser.draw([code])
        page = browser._ready_page()
        assert page.evaluate("window.pwned") is None
        assert page.evaluate("fetch('https://example.com').then(() => 1, () => 0)") == 0
        assert page.evaluate("fetch('https://charts.invalid/other').then(() => 1, () => 0)") == 0


def test_pictures_are_bounded():
    with pytest.raises(UserError, match="above 64,000,000 pixels"):
        rasterize("<svg/>", (10_000, 10_000), "lunasvg", ())
