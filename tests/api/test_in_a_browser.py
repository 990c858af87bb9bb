"""The dashboard in a real browser: a page shows the rows of the sample project, and takes keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.browser import TOKEN, Browser, browsing, served
from tests.sample_project import copy_samples

pytestmark = [pytest.mark.external, pytest.mark.xdist_group("browser")]
pytest.importorskip("textual_serve", reason="needs evaltui[serve]")


@pytest.fixture
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def samples(tmp_path: Path) -> Iterator[str]:
    with served(copy_samples(tmp_path / "samples")) as url:
        yield url


def test_the_dashboard_shows_the_project_and_takes_keys(browser: Browser, samples: str) -> None:
    browser.open(f"{samples}?token={TOKEN}")
    browser.shows("find_order.golden")
    browser.shows("gs-find-order-001")
    assert browser.run("return location.search") == "", "the token is not seen in the address"
    browser.shows("run #1")  # of what was never run
    browser.press("a")
    browser.shows("run #2")
    browser.press("/")
    browser.shows("Esc take back")
    for letter in "parcel":
        browser.press(letter)
    browser.shows_no_more("ls-move-event-005")
    browser.shows("gs-track-parcel-002")
    browser.press("\ue00c")  # Escape
    browser.shows("ls-move-event-005")
    browser.press("q")
    browser.has_ended()
