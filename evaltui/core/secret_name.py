"""Which names of headers, variables, options and keys usually carry a secret."""

import re

_WORDS = (
    "key", "token", "secret", "sig", "auth", "pass", "cred", "session", "code", "cookie",
    "pwd", "jwt", "dsn", "bearer",
)  # fmt: skip
_SHORT = re.compile(r"(?:^|[^a-z])pw(?:$|[^a-z])")
_OTHERS = re.compile(
    r"\b(?:old)?pwd\b|author(?!i)|passenger|passage|keyword|keyboard|monkey|tokens|signal|design|"
    r"assign|codec|"
    r"(?:partition|primary|foreign|sort|range|composite|natural|surrogate|unique|index|routing|"
    r"lookup|group|row|object|issue|public)[ _.-]?key|"
    r"(?:country|currency|language|area|zip|postal|post|status|error|exit|source|bar)[ _.-]?code|"
    r"(?:en|de|trans|geo|uni)code"
)
"""Ordinary words that hold one of them: keys of records, codes of countries, and the folder that a
shell is in."""


def is_secret_name(name: str) -> bool:
    """Whether what is called so usually is a secret; in doubt it is."""
    lowered = _OTHERS.sub("", name.lower())
    return any(word in lowered for word in _WORDS) or _SHORT.search(lowered) is not None


def is_credential_name(name: str) -> bool:
    """Whether a variable of the environment holds one: narrower, for every environment has a
    SESSION and an AUTH of its own, and an ASKPASS is a program."""
    lowered = name.lower()
    return any(word in lowered for word in ("key", "token", "secret", "password", "credential"))
