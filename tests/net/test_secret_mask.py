"""What else of a secret is hidden than the whole of it."""

import json
from collections.abc import Callable
from functools import partial
from urllib.parse import quote, unquote

import pytest

from evaltui.net.secret_mask import SecretMask, SecretResolver


@pytest.mark.parametrize("between", ["\r\n", "\n    ", " ", "", "…\n"])
def test_lines_of_a_key_are_hidden_whatever_stands_between_them(between: str) -> None:
    lines = [
        "-----BEGIN KEY-----",
        "MIIabcdefghijk12lmno",
        "pQRSTUVlmnopQRSTUV/3",
        "-----END KEY-----",
    ]
    secrets = SecretResolver({"PEM": "\n".join(lines)})
    secrets.fill("${PEM}", "env.PEM")
    hidden = secrets.mask.hide(f"it printed {between.join(lines)}")
    assert not any(line in hidden for line in lines[1:3])


def test_sentences_of_a_text_of_lines_are_shown() -> None:
    secrets = SecretResolver({"PROMPT": "You are a helpful agent.\nAnswer in one sentence."})
    secrets.fill("${PROMPT}", "system")
    assert secrets.mask.hide("Answer in one sentence.") == "Answer in one sentence."


KEY = "-----BEGIN KEY-----\nAbc12=\nDef34=\n-----END KEY-----\n"


@pytest.mark.parametrize(("known", "said"), [("\n", "\r\n"), ("\r\n", "\n")])
@pytest.mark.parametrize("form", [str, json.dumps, partial(quote, safe="")])
def test_a_key_is_hidden_with_the_line_breaks_of_another_system(
    known: str, said: str, form: Callable[[str], str]
) -> None:
    mask = SecretMask()
    mask.add(KEY.replace("\n", known))
    shown = mask.hide(f"it is {form(KEY.replace(chr(10), said))}.")
    assert "***" in shown
    assert "Abc12" not in unquote(shown)


@pytest.mark.parametrize("secret", ['sec\\ret"val', KEY, "C:\\new\\table-1"])
def test_one_character_that_is_escaped_in_a_text_that_is_not_hides_nothing(secret: str) -> None:
    mask = SecretMask()
    mask.add(secret)
    for at, character in enumerate(secret):
        said = f"{secret[:at]}\\u{ord(character):04x}{secret[at + 1 :]}"
        for shown in (mask.hide(f"it is {said}."), mask.hide_answer(f"it is\n{said}.")):
            assert "***" in shown, said
            assert secret[-4:] not in shown
