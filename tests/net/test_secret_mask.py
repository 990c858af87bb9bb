"""What else of a secret is hidden than the whole of it."""

import pytest

from evaltui.net.secret_mask import SecretResolver


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
