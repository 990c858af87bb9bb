"""Small and large damage to a file, drawn at random."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Mutation = Callable[[random.Random, bytes], bytes]

DEEP = 100_000
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, 10**400, "", "x", "\0", "\x1b[31m", "é" * 300, "../..",
    "/dev/zero", "{{seed:x}}", "{{", "${HOME}", "(", "(?:a+)+$", "\ud800", [], {}, [[]], [None],
    {"": {}}, {"type": "object"}, ["x"] * 50, {"a": {"b": {"c": []}}},
)  # fmt: skip
"""What stands where something else was expected."""
TOKENS = (
    b"[", b"]", b"{", b"}", b'"', b"'", b"`", b"${", b"\\", b"\\u", b"//", b"/*", b"#", b"&a",
    b"*a", b"<<: *a", b"- ", b": ", b"\t", b"\r", b"\n", b"\0", b"\x1b]52;", b"\xff\xfe",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"1e400", b"NaN", b"-Infinity", b"9" * 5_000,
    b"null", b"true", b"=", b"...", b"!!python/object:os.system", b"$ref", b"#/a",
    "\u202e".encode(), "😀".encode(),
)  # fmt: skip


def cut(draw: random.Random, content: bytes) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def flip(draw: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.randint(1, 8)):
        if changed:
            changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def insert(draw: random.Random, content: bytes) -> bytes:
    place = draw.randrange(len(content) + 1)
    return content[:place] + draw.choice(TOKENS) * draw.choice((1, 1, 2, 50)) + content[place:]


def nest(draw: random.Random, content: bytes) -> bytes:
    place = draw.choice((0, len(content), draw.randrange(len(content) + 1)))
    token = draw.choice((b"[", b"{", b'{"a":', b"- ", b"(", b"a: [", b"`${", b"[[", b"!", b"? "))
    return content[:place] + token * draw.choice((2_000, DEEP)) + content[place:]


def move(draw: random.Random, content: bytes) -> bytes:
    """Lines doubled, taken away or put elsewhere."""
    lines = content.splitlines(keepends=True)
    for _ in range(draw.randint(1, 4)):
        if not lines:
            break
        line = lines[draw.randrange(len(lines))]
        if draw.random() < 0.5:
            lines.remove(line)
        lines.insert(draw.randrange(len(lines) + 1), line)
        if draw.random() < 0.3:
            del lines[draw.randrange(len(lines))]
    return b"".join(lines)


def replace(draw: random.Random, content: bytes) -> bytes:
    """A word, number or text by another, or by something odd."""
    words = [word for word in content.replace(b'"', b" ").split() if len(word) > 1]
    if not words:
        return b""
    new = draw.choice((draw.choice(words), json.dumps(draw.choice(ODD)).encode("utf-8")))
    return content.replace(draw.choice(words), new, draw.choice((1, 1, -1)))


def mistype(draw: random.Random, content: bytes) -> bytes:
    """A value of a JSON document by one of another kind; of another file as `replace`."""
    lines = content.split(b"\n") if content.startswith(b'{"') and b"\n{" in content else [content]
    place = draw.randrange(len(lines))
    try:
        document = json.loads(lines[place])
    except (ValueError, RecursionError):
        return replace(draw, content)
    for _ in range(draw.randint(1, 3)):
        document = _with_odd(draw, document)
    lines[place] = json.dumps(document).encode()
    return b"\n".join(lines)


def _with_odd(draw: random.Random, value: Any) -> Any:
    if not isinstance(value, dict | list) or not value:
        return deepcopy(draw.choice(ODD))
    inner = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw.choice(inner)
    if isinstance(value[key], dict | list) and draw.random() < 0.85:
        value[key] = _with_odd(draw, value[key])
    elif draw.random() < 0.2:
        del value[key]
    elif isinstance(value, dict) and draw.random() < 0.1:
        value[draw.choice(("", "id", "x" * 2_000, "__proto__"))] = value.pop(key)
    else:
        value[key] = deepcopy(draw.choice(ODD))
    return value


def nothing_left(draw: random.Random, content: bytes) -> bytes:
    return draw.choice((b"", b"null", b"[]", b"{}", b"0", b"\n" * 9, content * 2, b"\xef\xbb\xbf"))


MUTATIONS: tuple[Mutation, ...] = (cut, flip, insert, move, replace, mistype, nothing_left)


def mutate(draw: random.Random, content: bytes) -> bytes:
    """One to three kinds of damage."""
    if draw.random() < 0.04:
        return nest(draw, content)
    for mutation in draw.choices(MUTATIONS, weights=(2, 2, 3, 2, 3, 6, 0.4), k=draw.randint(1, 3)):
        content = mutation(draw, content)
    return content
