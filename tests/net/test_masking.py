"""A secret is found however it is escaped, and looking for it costs little more than reading."""

import json
from html import escape, unescape
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.net.masking import hide, hide_in_json
from evaltui.net.secret_mask import SecretMask, SecretResolver

SECRETS = st.text(st.characters(codec="utf-8"), min_size=8, max_size=30)


@given(st.text(st.characters(codec="utf-8"), min_size=8, max_size=12), st.data())
def test_every_mixture_of_escapes_is_found_at_any_depth(secret: str, data: st.DataObject) -> None:
    text = secret
    for _ in range(data.draw(st.integers(1, 3), "depth")):
        text = "".join(data.draw(st.sampled_from(_ways(character))) for character in text)
    assert hide(f"x{text}y", {secret}) == "x***y"
    assert json.loads(hide_in_json(f'{{"a": ["x{text}y"]}}', {secret})) == {"a": ["x***y"]}


def _ways(character: str) -> list[str]:
    units = character.encode("utf-16-be")
    full = "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
    raw = [] if character in '"\\' or character < " " else [character]
    slash = ["\\/"] if character == "/" else []
    return [*raw, *slash, json.dumps(character)[1:-1], full, full[:-1] + full[-1].upper()]


@given(SECRETS)
def test_a_secret_in_a_url_is_found(secret: str) -> None:
    assert hide(f"http://x/?k={quote(secret)}", {secret}) == "http://x/?k=***"


@given(SECRETS)
def test_a_secret_on_a_page_of_html_is_found(secret: str) -> None:
    page = escape(secret).replace("/", "&#x2F;")
    hidden = hide(f"<p>{page}</p>", {secret})
    assert secret not in unescape(hidden)
    begins_its_escape = page != secret and secret in page  # as `x&` does `x&amp;`
    assert unescape(page) != secret or begins_its_escape or hidden == "<p>***</p>"


def test_of_a_secret_that_begins_its_own_escape_only_what_is_no_part_of_it_is_left() -> None:
    assert hide("<p>sk-live-4711&amp;</p>", {"sk-live-4711&"}) == "<p>***amp;</p>"


def test_a_secret_on_a_page_within_json_is_found() -> None:
    body = json.dumps({"error": "<p>SEKRIT/&quot;zx&#39;</p>"})
    assert json.loads(hide_in_json(body, {"SEKRIT/\"zx'"})) == {"error": "<p>***</p>"}


@pytest.mark.parametrize("text", ["100 % of C:\\new", '{"a": "\\u00e9 \\/ %41"}', "{\\", "\\u12"])
def test_a_text_without_a_secret_stays_as_it_is(text: str) -> None:
    assert hide(text, {"sk-live-4711"}) == text
    assert hide_in_json(text, {"sk-live-4711"}) == text


def test_lines_of_json_stay_lines() -> None:
    text = '{"a": "sk-live-4711"}\n{"a": "\\u0073k-live-4711\\n"}\n'
    assert [json.loads(line) for line in hide_in_json(text, {"sk-live-4711"}).splitlines()] == [
        {"a": "***"},
        {"a": "***\n"},
    ]


PEM = "-----BEGIN KEY-----\nMIIEvAIBADANBg\n-----END KEY-----"


def test_a_secret_of_several_lines_is_hidden_in_a_text_of_lines() -> None:
    assert hide_in_json(f"a {PEM} b\nc", {PEM}) == "a *** b\nc"
    assert hide_in_json(f'{{"a": 1}}\n{PEM}\n', {PEM, "other"}) == '{"a": 1}\n***\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32-be"])
def test_a_body_in_any_encoding_of_json(encoding: str) -> None:
    mask = SecretMask()
    mask.add("sk-live-4711")
    body = json.dumps({"a": "sk-live-4711"}).encode(encoding)
    assert json.loads(mask.hide_body(body)) == {"a": "***"}


@pytest.mark.parametrize("piece", ["\\", "\\u005c", "\\u", "\\n", "%", "%5c", "s", "\n"])
def test_a_megabyte_of_anything_is_searched_at_once(piece: str) -> None:
    mask = SecretMask()
    mask.add("\\sk-live-4711")
    body = (piece * (1_000_000 // len(piece))).encode()
    began = process_time()
    assert mask.hide_body(body) == body
    assert process_time() - began < 10


def test_what_a_form_wrote_is_hidden_too() -> None:
    assert "two" not in hide("token=one+two&x=1", {"one two"})
    assert hide("1+1", {"one two"}) == "1+1"


@pytest.mark.parametrize(
    ("name", "value", "is_hidden"),
    [
        ("Authorization", "abcdef998877", True),
        ("X-User", "Bearer abcdef998877", True),
        ("X-User", "sk-abcdefgh12345678", True),
        ("X-User", "https://ann:abcdef998877@shop.example", True),
        ("X-User", "abcdef998877", False),
        ("Accept", "application/json", False),
    ],
)
def test_of_a_header_is_masked_what_is_called_a_secret_or_looks_like_one(
    name: str, value: str, is_hidden: bool
) -> None:
    secrets = SecretResolver({})
    assert secrets.headers({name: value}) == {name: value}
    assert (value not in secrets.mask.hide(f"You sent {value}.")) is is_hidden


def test_a_variable_in_a_header_is_no_text_to_be_masked() -> None:
    secrets = SecretResolver({"TOKEN": "abcdef998877"})
    secrets.headers({"X-User": "Bearer ${TOKEN}"})
    assert secrets.mask.hide("${TOKEN} abcdef998877") == "${TOKEN} ***"


def test_what_escapes_a_sign_of_a_secret_is_hidden_with_it() -> None:
    assert hide(r"x\/0000000y", {"/0000000"}) == "x***y"
    assert hide(r"x\/000\u00300007y", {"/00000007"}) == "x***y"
