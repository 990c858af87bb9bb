"""Whatever names tools have: every sent name is accepted, and each leads back to its own."""

import re

from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.models.tool_names import ToolNames

ACCEPTED = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
NAMES = st.one_of(
    st.text(max_size=90),
    st.text("a.b/_ ", max_size=8),
    st.text("ab", min_size=60, max_size=70),
)


@given(st.lists(NAMES, max_size=12, unique=True))
def test_there_and_back(names: list[str]) -> None:
    mapping = ToolNames(names)
    sent = [mapping.to_api(name) for name in names]
    assert all(ACCEPTED.fullmatch(name) for name in sent)
    assert len(set(sent)) == len(names)
    assert [mapping.from_api(name) for name in sent] == names


@given(st.lists(NAMES, max_size=6, unique=True), NAMES)
def test_a_name_from_elsewhere_is_made_acceptable(names: list[str], other: str) -> None:
    assert ACCEPTED.fullmatch(ToolNames(names).to_api(other))


def test_good_names_stay_and_others_stay_readable() -> None:
    mapping = ToolNames(["calendar_find", "calendar.find", "calendar/find", "mail.send", "寿司"])
    assert mapping.to_api("calendar_find") == "calendar_find"
    assert mapping.to_api("mail.send") == "mail_send"
    assert mapping.to_api("calendar.find").startswith("calendar_find_")
    assert mapping.from_api("never_offered") == "never_offered"
