"""Secrets that stand in settings as they are, hidden where settings are shown."""

import re

HIDDEN = "***"
_NAME = r"[\w.-]*(?:token|secret|passw|api[_-]?key|access[_-]?key|authorization|cookie|credential)"
_VALUE = r"(?!(?:bearer|basic)\s)[\w+=~-]{4,}(?![\w+=~./-])"
_NAMED = re.compile(rf"({_NAME}[\w.-]*(?:=|:\s*)['\"]?){_VALUE}", re.IGNORECASE)
_FLAG = re.compile(rf"(--?{_NAME}[\w.-]*\s+['\"]?){_VALUE}", re.IGNORECASE)
_SCHEME = re.compile(r"\b((?:bearer|basic)\s+)[\w+/=~.-]{4,}", re.IGNORECASE)
_KEY = re.compile(
    r"()\b(?:(?:sk|pk|rk|glpat|xox[abprs])-|(?:gh[opsu]|github_pat|hf)_|AKIA|AIza|eyJ)[\w.-]{8,}"
)


def without_secrets(text: str) -> str:
    """A command line without what looks like a secret: what is called like one, follows `Bearer`,
    or is written like a well-known kind of key.

    Only letters, digits and a few signs are taken for one, and never a path or the name of a file:
    what is started must not hide behind a name. `${NAME}` stays.
    """
    for pattern in (_KEY, _SCHEME, _FLAG, _NAMED):
        text = pattern.sub(rf"\1{HIDDEN}", text)
    return text
