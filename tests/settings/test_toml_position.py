"""The line of a key, whatever way it is written."""

import time

import pytest

from evaltui.core.key_path import KeyPath, format_key
from evaltui.settings.toml_position import TomlPlaces

TEXT = """# first
a = 1
b.c = 2
d = { e = 3, f = [1, { g = 4 }] }
h = [
  1,
  2,
]
s = \"\"\"
a = 9
[x]
\"\"\"

[t]
  u = 5
[t.v]
w = 6
[[r]]
n = 1
[[r]]
n = 2
[r.o]
p = 7
[[r.q]]
z = 8
[t."x.y"]
k = 1
m.l = [ { path = "a" },  # two
  { path = "b", to = [
     3, 4] },

  # nothing
  { path = "c" }, { path = "d" },
  "e" ]
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("a",), (2, 1)),
        (("b", "c"), (3, 3)),
        (("d", "e"), (4, 7)),
        (("d", "f", 1, "g"), (4, 24)),
        (("h",), (5, 1)),
        (("h", 0), (6, 3)),
        (("h", 1), (7, 3)),
        (("s",), (9, 1)),
        (("t",), (14, 2)),
        (("t", "u"), (15, 3)),
        (("t", "v"), (16, 4)),
        (("t", "v", "w"), (17, 1)),
        (("r", 0, "n"), (19, 1)),
        (("r", 1), (20, 3)),
        (("r", 1, "n"), (21, 1)),
        (("r", 1, "o", "p"), (23, 1)),
        (("r", 1, "q", 0, "z"), (25, 1)),
        (("t", "x.y", "k"), (27, 1)),
        (("t", "x.y", "m", "l"), (28, 3)),
        (("t", "x.y", "m", "l", 0, "path"), (28, 11)),
        (("t", "x.y", "m", "l", 1, "path"), (29, 5)),
        (("t", "x.y", "m", "l", 1, "to"), (29, 17)),
        (("t", "x.y", "m", "l", 2, "path"), (33, 5)),
        (("t", "x.y", "m", "l", 3), (33, 3)),
        (("t", "x.y", "m", "l", 4), (34, 3)),
        (("t", "nothing"), (14, 2)),
        (("r", 7), (18, 3)),
        (("x",), (1, 1)),
        ((), (1, 1)),
    ],
    ids=lambda value: format_key(value) if isinstance(value, tuple) else "",
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_statement_that_sets_a_key_is_found(
    path: KeyPath, place: tuple[int, int], newline: str
) -> None:
    assert TomlPlaces(TEXT.replace("\n", newline)).locate(path) == place


def test_many_places_of_a_long_file_are_found_at_once() -> None:
    text = "".join(f"[agents.a{i}]\nurl = 'http://x'\n" for i in range(5_000))
    before = time.process_time()
    places = TomlPlaces(text)
    assert places.locate(("agents", "a4999", "url")) == (10_000, 1)
    assert places.locate(("agents", "a4998", "url")) == (9_998, 1)
    assert time.process_time() - before < 2
