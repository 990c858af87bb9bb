"""Which names of headers, variables, options and keys usually carry a secret."""

import re

# Compiled when a name is first asked about: most commands ask about none.
_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+"
"""Of a name in snake, kebab or camel case; digits belong to none."""
_SECRET = (
    r".*(?:token|secret|password|passwd|passwort|passphrase|passcode|passkey|credential|cookie|"
    r"session|bearer|jwt|dsn|pwd|accesskey|apikey).*"
    r"|key.*|.*keys?|.*pass|auth.*|.*auth|.*codes?|.*sig|sign(?:ed|ing|atures?)?|.*creds|cred"
    r"|pw|pat|sk"
)
"""A word that is one, or with others run together with it; in doubt it is."""
_ORDINARY = (
    r"tokens|tokeni[sz].*|secretar.*|secretion|obsession|possession"
    r"|key(?:words?|boards?|space|notes?|pad|frames?|press|strokes?|maps?|less|ed|hole)"
    r"|(?:tur|mon|don|hoc|joc|whis|hic|mic|lac|hot)keys?"
    r"|(?:com|by|over|under|tres|encom|sur)pass"
    r"|author(?!i[sz]).*|authentic(?!at).*"
    r"|(?:.*(?:(?<!tok)en|de|trans|uni)|geo|bar|zip|op|byte|pseudo|vs|x|qr?|g)codes?"
)
"""Words that only hold one of them."""
_NAMES = (
    r"(?:partition|primary|foreign|sort|range|composite|natural|surrogate|unique|index|routing|"
    r"lookup|group|row|object|issue|public|cache|prompt|idempotency|dedupe?) ?keys?"
    r"|(?:country|currency|language|area|zip|postal|post|status|error|exit|source|bar) ?codes?"
)
"""Keys of records, and codes of countries."""
_MEASURES = frozenset(
    ("limit", "limits", "budget", "rate", "mode", "count", "length", "type", "size", "ttl",
     "timeout", "lifetime", "expiry")
)  # fmt: skip
"""What stands behind the name of a secret where it is a property of one: `TOKEN_LIMIT`."""
_FOLDERS = ("PWD", "OLDPWD")
"""Those that a shell is in."""


def is_secret_name(name: str) -> bool:
    """Whether what is called so usually is a secret; in doubt it is."""
    if name in _FOLDERS:
        return False
    words = " ".join(word.lower() for word in re.findall(_WORD, name))
    found = re.sub(_NAMES, " ", words).split()
    return any(
        re.fullmatch(_SECRET, word) and not re.fullmatch(_ORDINARY, word) and after not in _MEASURES
        for word, after in zip(found, [*found[1:], ""], strict=False)
    )


def is_credential_name(name: str) -> bool:
    """Whether a variable of the environment holds one: narrower, for every environment has a
    SESSION and an AUTH of its own, and an ASKPASS is a program."""
    lowered = name.lower()
    words = ("key", "token", "secret", "password", "credential")
    return any(word in lowered for word in words) and is_secret_name(name)
