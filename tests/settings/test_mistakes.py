"""What pydantic refuses becomes a sentence with the place, what is wrong and what to do."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evaltui.core.errors import UserError
from evaltui.settings.mistakes import check, keep_valid
from evaltui.settings.sentences import Wording
from evaltui.settings.written import WHOLE, Many, Probability, SecretText, Text, Written

OPTION = Wording("option of an agent")


class Limits(Written):
    most: Annotated[float, Field(gt=0)] = 1.0


class Ranges(Written):
    above: Annotated[float, Field(gt=0)] = 1.0
    between: Annotated[float, Field(gt=0, lt=1)] = 0.5
    half: Annotated[float, Field(ge=0, lt=1)] = 0.5
    share: Probability = 0.5
    least: Annotated[float, Field(ge=1_000)] = 1_000
    most: Annotated[int, Field(le=1_000)] = 1_000
    below: Annotated[float, Field(lt=0)] = -1.0


class Options(Written):
    name: Text
    retries: Annotated[int, Field(ge=0, le=2_000), WHOLE] = 0
    method: Literal["POST", "GET"] = "POST"
    api_key: SecretText | None = None
    files: Many[Text] = Field(default_factory=list)
    share: Annotated[float, Field(ge=0)] = 0
    is_free: bool | None = None
    limits: Limits | None = None
    body: str | dict[str, Text] = ""

    @model_validator(mode="after")
    def _is_possible(self) -> "Options":
        if self.method == "GET" and self.body:
            raise PydanticCustomError("odd", "GET has no body", {"hint": "Use POST."})
        return self


@pytest.mark.parametrize(
    ("table", "path", "what", "hint"),
    [
        (
            {"retries": "x"},
            ("retries",),
            "`retries` is text, not a whole number from 0 to 2,000",
            "",
        ),
        (
            {"retries": 2001},
            ("retries",),
            "`retries` is 2,001, not a whole number",
            "Write a whole",
        ),
        ({"retries": 1.5}, ("retries",), "`retries` is a number, not a whole number", ""),
        ({"retries": True}, ("retries",), "`retries` is true or false, not a whole number", ""),
        ({"share": -1}, ("share",), "`share` is -1, not a number of at least 0", ""),
        ({"share": 10**400}, ("share",), "`share` is beyond the range of numbers", ""),
        ({"limits": {"most": 0}}, ("limits", "most"), "`most` is 0, not a number above 0", ""),
        ({"limits": 5}, ("limits",), "`limits` is a number, not a table", "Write a table."),
        (
            {"limits": {"mst": 5}},
            ("limits", "mst"),
            "`mst` is not a known option",
            "Did you mean `most`?",
        ),
        ({"is_free": "no"}, ("is_free",), "`is_free` is text, not true or false", ""),
        (
            {"method": "GETS"},
            ("method",),
            "`method` is `GETS`, not one of `POST`, `GET`",
            "Did you",
        ),
        ({"files": ["a", " "]}, ("files", 1), "`files[1]` is empty", "Write text."),
        ({"files": 5}, ("files",), "`files` is a number, not text", ""),
        ({"body": 5}, ("body",), "`body` is a number, not text or a table", ""),
        ({"body": {"a": 5}}, ("body", "a"), "`a` is a number, not text", ""),
        (
            {"metod": "GET"},
            ("metod",),
            "`metod` is not a known option of an agent",
            "Did you mean `method`?",
        ),
        (
            {"zzz": 1},
            ("zzz",),
            "`zzz` is not a known option of an agent",
            "Known are `name`, `retries`",
        ),
        ({"method": "GET", "body": "x"}, (), "GET has no body", "Use POST."),
    ],
)
def test_each_kind_of_mistake(
    table: dict[str, Any], path: tuple[str | int, ...], what: str, hint: str
) -> None:
    _, (mistake,) = keep_valid(Options, {"name": "x", **table}, OPTION)
    assert mistake.path == path
    assert mistake.what.startswith(what)
    assert mistake.hint.startswith(hint)
    assert mistake.hint.endswith((".", "?"))


def test_what_is_wrong_has_a_code() -> None:
    table = {"name": "x", "retries": -1, "share": "x", "files": " ", "zzz": 1}
    codes = {str(one.path[0]): one.code for one in keep_valid(Options, table)[1]}
    assert codes == {
        "retries": "out-of-range", "share": "wrong-type", "files": "out-of-range",
        "zzz": "unknown-key",
    }  # fmt: skip


def test_a_missing_key_and_what_it_may_have_been_written_as() -> None:
    assert keep_valid(Options, {})[0] is None
    (mistake,) = keep_valid(Options, {})[1]
    assert (mistake.path, mistake.what, mistake.hint) == (
        (), "`name` is missing", "Write `name`: text.",
    )  # fmt: skip
    found = {one.code: one for one in keep_valid(Options, {"nmae": "x"})[1]}
    assert found["missing"].hint == "Is it `nmae` misspelt?"


def test_the_rest_holds() -> None:
    table = {"name": "x", "files": [1, "a", 2, "b", ""], "retries": -1, "limits": {"most": "x"}}
    options, found = keep_valid(Options, table)
    assert options is not None
    assert options.given() == {"name": "x", "files": ["a", "b"], "limits": Limits()}
    assert [one.path for one in found if one.path[0] == "files"] == [
        ("files", 0), ("files", 2), ("files", 4),
    ]  # fmt: skip


class Price(Written):
    per_call: Annotated[float, Field(ge=0)]


class Priced(Written):
    price: Price | None = None


def test_what_is_needed_and_wrong_is_complained_of_once() -> None:
    priced, found = keep_valid(Priced, {"price": {"per_call": -1}})
    assert [one.path for one in found] == [("price", "per_call")]
    assert priced == Priced()
    options, (mistake,) = keep_valid(Options, {"name": 5})
    assert (options, mistake.what) == (None, "`name` is a number, not text")


def test_null_is_absent_and_both_spellings_are_read() -> None:
    options = check(Options, {"name": "x", "retries": None, "isFree": True, "api_key": "k"})
    assert options.given() == {"name": "x", "is_free": True, "api_key": "k"}
    assert check(Options, {"name": "x", "retries": 5.0}).retries == 5


def test_a_secret_is_never_repeated() -> None:
    for value in (["s3cret"], {"a": "s3cret"}, "s3cret\0"):
        (mistake,) = keep_valid(Options, {"name": "x", "api_key": value})[1]
        assert "s3cret" not in mistake.what + mistake.hint


def test_the_first_mistake_is_raised() -> None:
    with pytest.raises(UserError) as raised:
        check(Options, {"name": "x", "limits": {"most": 0}}, OPTION)
    assert raised.value.what == "In `limits`: `most` is 0, not a number above 0."
    with pytest.raises(UserError, match="`retries` is text"):
        check(Options, {"name": "x", "retries": "2"}, OPTION)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
KEYS = [*Options.model_fields, "apiKey", "x"]


@given(table=st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_value_in_any_place_is_survived(table: dict[str, Any]) -> None:
    options, found = keep_valid(Options, {**table, "name": "x", "share": 0.5})
    assert all(one.what and one.hint for one in found)
    assert options is None or (options.name, options.share) == ("x", 0.5)
    assert options is not None or any(not one.path for one in found)


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("above", 0.0, "a number above 0"),
        ("between", 1.0, "a number above 0 and below 1"),
        ("between", 0.0, "a number above 0 and below 1"),
        ("half", 1.0, "a number of at least 0 and below 1"),
        ("share", 1.01, "a number from 0 to 1"),
        ("share", -0.01, "a number from 0 to 1"),
        ("least", 999.0, "a number of at least 1,000"),
        ("most", 1_001, "a whole number of at most 1,000"),
        ("below", 0.0, "a number below 0"),
    ],
)
def test_both_ends_of_a_range_are_said(key: str, value: float, wanted: str) -> None:
    _, (found,) = keep_valid(Ranges, {key: value})
    assert found.what.endswith(f", not {wanted}")
    assert found.hint == f"Write {wanted}."
    assert keep_valid(Ranges, {"share": 0.0})[1] == keep_valid(Ranges, {"share": 1.0})[1] == []
