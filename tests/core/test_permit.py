"""What is agreed to: by what stays the same of it, told without credentials, each asked once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.errors import NOT_TRUSTED, Severity
from evaltui.core.permit import (
    EVERYTHING,
    HOW_TO_TRUST,
    NOTHING,
    Permit,
    each_once,
    grant,
    not_trusted,
    origin,
    sending,
)
from evaltui.core.variable import variables_in

RUN = grant("run", ["node", "a.js"], "node a.js", by="agents.mine", filled=("${KEY}", "$ {NO}"))


def test_it_says_what_is_done_with_which_variables_and_which_settings_want_it() -> None:
    assert str(RUN) == "runs node a.js with $KEY  (agents.mine)"
    both = grant("send", "x", "https://x", by="", filled=("${B}/${A:-1}", "${B}"))
    assert both.variables == ("A", "B")
    assert str(both) == "sends to https://x with $A, $B"
    assert str(grant("read", "x", "/etc/x", by="")) == "reads, outside of the project, /etc/x"
    assert str(grant("write", "x", "/tmp", by="a")) == "writes, outside of the project, /tmp  (a)"


def test_what_is_agreed_to_is_the_kind_the_thing_and_its_variables_and_not_its_words() -> None:
    same = grant("run", ["node", "a.js"], "other words", by="agents.other", filled=("${KEY}",))
    assert same.digest == RUN.digest
    others = {
        RUN.digest,
        grant("read", ["node", "a.js"], "node a.js", by="", filled=("${KEY}",)).digest,
        grant("run", ["node", "b.js"], "node a.js", by="", filled=("${KEY}",)).digest,
        grant("run", ["node", "a.js"], "node a.js", by="", filled=("${KEY}${MORE}",)).digest,
        grant("run", ["node", "a.js"], "node a.js", by="").digest,
    }
    assert len(others) == 5
    ordered = grant("run", {"a": 1, "b": 2}, "", by="")
    assert grant("run", {"b": 2, "a": 1}, "", by="").digest == ordered.digest


def test_what_several_settings_want_is_asked_once_and_names_them_all() -> None:
    free, paid = (sending("https://x.de/chat", by=f"agents.{name}") for name in ("free", "paid"))
    assert [one.by for one in each_once((free, RUN, paid, free))] == [
        "agents.free, agents.paid",
        "agents.mine",
    ]
    (asked,) = NOTHING.missing((free, paid))
    assert str(asked) == "sends to https://x.de/chat  (agents.free, agents.paid)"
    assert asked.digest == free.digest


def test_nothing_is_done_that_nobody_agreed_to() -> None:
    other = grant("run", "other", "other", by="")
    assert NOTHING.missing([RUN, other, RUN]) == (RUN, other), "each once, in order"
    assert Permit(frozenset({RUN.digest})).missing([RUN, other]) == (other,)
    assert EVERYTHING.missing([RUN, other]) == ()


def test_what_is_left_out_is_said_with_what_to_do() -> None:
    problem = not_trusted(RUN)
    assert str(RUN) in problem.what and "nobody agreed" in problem.what
    assert (problem.file, problem.hint, problem.code) == ("", HOW_TO_TRUST, NOT_TRUSTED)
    assert problem.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("url", "is_agreed_to", "shown"),
    [
        ("https://a.io/v1?key=1#x", "https://a.io", "https://a.io/v1"),
        ("https://u:p@a.io:80/v1", "https://u:p@a.io:80", "https://a.io:80/v1"),
        ("https://a.io?x=/y", "https://a.io", "https://a.io"),
        ("https://a.io\\@b.io/", "https://a.io\\@b.io", "https://b.io/"),
        ("https://${HOST:-a/b}/v1", "https://${HOST:-a/b}", "https://${HOST:-a/b}/v1"),
        ("${BASE}${PORT}/v1", "${BASE}${PORT}/v1", "${BASE}${PORT}/v1"),
        ("https://[::1/", "https://[::1", "an address that cannot be read"),
    ],
)
def test_of_an_address_the_host_is_agreed_to_and_no_password_is_shown(
    url: str, is_agreed_to: str, shown: str
) -> None:
    assert origin(url) == is_agreed_to
    found = sending(url, by="agents.a", filled=("${KEY}",))
    assert (found.kind, found.what) == ("send", shown)
    assert found.variables == tuple(sorted({*variables_in(url), "KEY"}))
    assert found.digest == grant("send", is_agreed_to, "", by="", filled=(url, "${KEY}")).digest


@given(st.text(alphabet="abc/?#\\{}$-:", max_size=30))
def test_whatever_stands_behind_the_host_is_agreed_to_with_it(path: str) -> None:
    asked = sending("https://a.io", by="")
    assert (sending(f"https://a.io/{path}", by="").digest == asked.digest) is not bool(
        variables_in(path)
    )


def test_a_variable_may_have_a_default_and_may_stand_in_the_keyring() -> None:
    text = "a ${ONE} ${TWO:-2} ${keyring:shop/me} ${1NO} $NO ${} ${keyring:shop}"
    assert variables_in(text) == ("ONE", "TWO", "keyring:shop/me")


@pytest.mark.parametrize(
    ("leads_to", "shown"),
    [
        ("", "https://a.io/v1"),
        ("https://u:p@a.io/v2?x=1", "https://a.io/v1"),
        ("https://b.io/v1", "https://a.io/v1, which is https://b.io,"),
        ("http://a.io/v1", "https://a.io/v1, which is http://a.io,"),
        ("b.io", "https://a.io/v1, which is an address that cannot be read,"),
    ],
)
def test_an_address_that_leads_elsewhere_is_agreed_to_with_where_it_leads(
    leads_to: str, shown: str
) -> None:
    plain, found = (sending("https://a.io/v1", by="a", leads_to=one) for one in ("", leads_to))
    assert found.what == shown
    assert (found.digest == plain.digest) is (found.what == plain.what)
    asked = sending("https://a.io/v1", by="a", filled=("${KEY}",), leads_to=leads_to)
    assert asked.variables == ("KEY",)
