import pytest

from builders.simulated.config import load_config
from builders.simulated.rows import RowMaker
from builders.simulated.verify import FreshPage

CHARTS = 10


@pytest.fixture(scope="session")
def drawn_rows():
    """Rows of each preset that is published, and the fonts they were drawn in."""
    drawn = {}
    for preset in ("flowlearn-word", "flowlearn-char", "rich"):
        with RowMaker(load_config(preset=preset)) as maker:
            drawn[preset] = list(maker.rows(range(CHARTS))), maker.fonts
    return drawn


@pytest.fixture
def fresh_page():
    """A browser with nothing of ours in it; short-lived, since one Playwright runs at a time."""
    with FreshPage() as page:
        yield page
