"""What is left of a secret where a text was cut is hidden as the whole one is."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.child import inside
from evaltui.child.process import TAIL_BYTES, Child
from evaltui.evaluators.worker.context_judging import said_by
from evaltui.net.masking import MASK, SHORTEST, hide
from evaltui.net.secret_mask import SecretMask

SECRET = "sk-7Qd2fX9+aé9zRb4WmT1"
URL = "postgres://app:Zx81-kLq7@db.internal:5432/shop"
PASSWORD = "Zx81-kLq7"


def mask_of(*secrets: str) -> SecretMask:
    mask = SecretMask()
    for secret in secrets:
        mask.add(secret)
    return mask


def shows(text: str, secret: str) -> bool:
    """Whether so much of it stands there that it would count as a secret by itself."""
    pieces = (secret[at : at + SHORTEST] for at in range(len(secret) - SHORTEST + 1))
    return any(piece in text for piece in pieces)


ESCAPED = quote(SECRET, safe="")
LOWER = re.sub("%..", lambda match: match[0].lower(), ESCAPED)


@pytest.mark.parametrize("written", [SECRET, ESCAPED, LOWER])
def test_both_halves_beside_a_cut_are_hidden(written: str) -> None:
    mask = mask_of(SECRET)
    for at in range(len(written) + 1):
        for text in (f"failed: {written[:at]}…", f"…{written[at:]} failed"):
            assert not shows(mask.hide(text), written), text
            assert "failed" in mask.hide(text)


def test_half_of_one_that_holds_another_is_hidden_also_after_that_was() -> None:
    mask = mask_of(URL, PASSWORD)
    for at in range(len(URL)):
        for text in (f"{URL[:at]}…", f"…{URL[at:]}"):
            assert not shows(mask.hide(text), URL)
            hidden = mask.hide(hide(text, {PASSWORD}))
            assert not any(shows(hidden, part) for part in ("postgres://app:", "@db.internal"))


def test_what_overlaps_is_hidden_whole() -> None:
    assert hide("…9sk-live-1", {"abcd-9sk-l", "sk-live-1"}) == f"…{MASK}"


def test_a_text_that_was_not_cut_stays_as_it_is() -> None:
    mask = mask_of("sk-live-4711")
    for text in ("4711 are left", "it begins with sk-l", "and so on… 4711", "ask…"):
        assert mask.hide(text) == text


@given(st.text("ab…", max_size=12), st.sets(st.text("ab", min_size=5, max_size=8), max_size=3))
def test_none_is_left_however_they_overlap(text: str, secrets: set[str]) -> None:
    hidden = hide(text, secrets)
    assert not any(secret in hidden for secret in secrets)


@pytest.mark.parametrize("behind", range(280, 330))
def test_the_end_of_what_was_written_is_hidden_before_it_is_cut(behind: int) -> None:
    mask = mask_of(SECRET)
    assert not shows(mask.end_of(f"token={SECRET}{'x' * behind}", 300), SECRET)
    assert not shows(mask.start_of(f"{'x' * behind}{SECRET}", 300), SECRET)


async def test_the_tail_of_a_child_begins_with_no_half_of_one() -> None:
    mask, size = mask_of(SECRET), len(SECRET.encode())
    for behind in range(TAIL_BYTES - size - 1, TAIL_BYTES + 2):
        child = Child(lambda _: None)
        child.pipe_data_received(2, b"x" * 4 * TAIL_BYTES)
        child.pipe_data_received(2, SECRET.encode() + b"x" * behind)
        assert not shows(mask.hide(child.said), SECRET), behind


def test_what_a_child_cuts_by_itself_ends_with_no_half_of_one() -> None:
    mask = mask_of(SECRET)
    for at in range(len(SECRET) + 1):
        raised = ValueError("q" * (inside.ERROR_LIMIT - at) + SECRET)
        assert not shows(mask.hide(said_by(raised)), SECRET)
        raised = ValueError("q" * (inside.ERROR_LIMIT - len("ValueError: ") - at) + SECRET)
        assert not shows(mask.hide(inside.fault(raised, "/")), SECRET)


def test_what_a_child_printed_begins_with_no_half_of_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    mask = mask_of(SECRET)
    for before in ("", "x" * 4 * inside.PRINTED_LIMIT):
        for at in range(len(SECRET) + 1):
            printed = inside.Printed()
            printed.write(before)
            printed.write(SECRET + "y" * (inside.PRINTED_LIMIT - at))
            assert not shows(mask.hide(printed.take()), SECRET)
    assert not shows(mask.hide(capfd.readouterr().err), SECRET)
