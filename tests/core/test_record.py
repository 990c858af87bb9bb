"""Records behave as the standard library's dataclasses do."""

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaltui
from evaltui.core.record import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    """Frozen."""

    name: str
    size: int = 3
    tags: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)

    @property
    def double(self) -> int:
        return self.size * 2


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """Frozen."""

    name: str
    size: int = 3
    tags: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)


@dataclass(slots=True)
class Open:
    """Not frozen."""

    number: float


names = st.text(max_size=3)
values = st.fixed_dictionaries(
    {"name": names},
    optional={"size": st.integers(0, 2), "tags": st.lists(names, max_size=1), "secret": names},
)


@given(values, values)
def test_they_compare_and_show_as_the_library_s(one: dict[str, Any], other: dict[str, Any]) -> None:
    ours, theirs = Ours(**one), Theirs(**one)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert (ours == Ours(**other)) == (theirs == Theirs(**other))
    assert (ours != Ours(**other)) == (theirs != Theirs(**other))
    assert dataclasses.replace(ours, size=9) == Ours(**(one | {"size": 9}))
    assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == copy.deepcopy(ours) == ours


def test_another_class_is_never_equal() -> None:
    others: list[object] = [Theirs("a"), "a", ("a", 3, [], "")]
    assert Ours("a") not in others


def test_a_class_below_a_record_is_made_as_usual() -> None:
    class Below(Point):
        """Adds nothing."""

    assert Below(1.0).x == Point(1.0).x
    assert Below(1.0) != Point(1.0)


def test_factories_make_a_new_value_each_time() -> None:
    assert Ours("a").tags is not Ours("a").tags
    assert Ours("a", tags=(shared := [])).tags is shared  # type: ignore[var-annotated]


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float = 0.0


def test_frozen_ones_are_hashed_by_value_and_refuse_changes() -> None:
    point = Point(1.0)
    assert {point: "here"}[Point(1.0)] == "here"
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 2.0  # type: ignore[attr-defined]


def test_others_can_be_changed_and_have_no_hash() -> None:
    one = Open(1.0)
    one.number = 2.0
    assert one == Open(2.0)
    nan = float("nan")
    assert Open(nan) == Open(nan)  # the same object, as in a tuple
    with pytest.raises(TypeError):
        hash(one)


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_wrong_arguments_are_named(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match="__init__"):
        Point(*arguments)
    with pytest.raises(TypeError, match="depth"):
        Point(1.0, depth=2)  # type: ignore[call-arg]


def test_they_match_by_place() -> None:
    match Point(1.0, 2.0):
        case Point(x, y):
            assert (x, y) == (1.0, 2.0)


def test_what_is_unusual_is_made_by_the_library() -> None:
    @dataclass(slots=True)
    class Derived:
        """Has a field that is not given."""

        given: int
        made: int = field(init=False)

        def __post_init__(self) -> None:
            self.made = self.given + 1

    @dataclass(frozen=True)
    class Loose:
        given: int

    assert Derived(1).made == 2
    assert vars(Loose(1)) == {"given": 1}
    with pytest.raises(ValueError, match="mutable default"):

        @dataclass(slots=True)
        class Shared:
            tags: list[str] = []  # noqa: RUF012


def _classes() -> Iterator[Any]:
    for module in pkgutil.walk_packages(evaltui.__path__, "evaltui."):
        if ".child" in module.name or module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name:
                yield value


def test_every_field_of_the_package_is_a_slot() -> None:
    """A `ClassVar` or an `InitVar` would be taken for a field."""
    found = [kind for kind in _classes() if isinstance(kind.__dict__.get("__slots__"), tuple)]
    records = [kind for kind in found if dataclasses.is_dataclass(kind)]
    assert len(records) > 100
    for kind in records:
        assert [one.name for one in dataclasses.fields(kind)] == list(vars(kind)["__slots__"]), kind
