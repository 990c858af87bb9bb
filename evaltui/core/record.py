"""`dataclass` of the standard library, made in a tenth of the time.

The library compiles up to eight methods for each class; a hundred classes were half of what a short
command took to start. Here `__init__` alone is compiled, when the first instance is made, and the
other methods are shared. What is unusual is left to the library, and so is the table of fields,
which is made when somebody asks for it.
"""

import dataclasses
from collections.abc import Callable, Set
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """As the library's. Quick for slotted classes of plain fields, without `ClassVar`."""
        if cls is None:
            return lambda cls: _made(cls, options)
        return _made(cls, options)


_USUAL = frozenset({"frozen", "slots", "eq", "repr"})
_OWN = frozenset(
    {"__init__", "__eq__", "__hash__", "__repr__", "__setattr__", "__delattr__", "__post_init__",
     "__getstate__", "__setstate__"}
)  # fmt: skip
_ABSENT: Any = object()


def _made(cls: type, options: dict[str, bool]) -> type:
    annotations: dict[str, Any] = cls.__dict__.get("__annotations__", {})  # noqa: RUF063
    namespace = dict(cls.__dict__)
    defaults = {name: namespace.pop(name) for name in annotations if name in namespace}
    if (
        not options.get("slots")
        or not options.keys() <= _USUAL
        or type(cls) is not type
        or cls.__bases__ != (object,)
        or not _OWN.isdisjoint(namespace.keys() - _said_own(options))
        or not all(map(_is_plain, defaults.values()))
    ):
        made: type = dataclasses.dataclass(**options)(cls)
        return made
    del namespace["__dict__"], namespace["__weakref__"]
    names = tuple(annotations)
    namespace["__slots__"] = namespace["__match_args__"] = names
    namespace["__dataclass_fields__"] = _Fields(annotations, defaults)
    is_frozen = options.get("frozen", False)
    if options.get("repr", True):
        namespace["__repr__"] = _repr
    if options.get("eq", True):
        values = attrgetter(*names) if len(names) > 1 else _single(*names)
        namespace["__eq__"] = _equal_by(values)
        namespace["__hash__"] = _hash_by(values) if is_frozen else None
    if is_frozen:
        namespace |= _FROZEN
    made = type(cls.__name__, (object,), namespace)
    made.__qualname__ = cls.__qualname__
    made.__init__ = _init_later(made, defaults, is_frozen)  # type: ignore[misc]
    return made


def _said_own(options: dict[str, bool]) -> Set[str]:
    return frozenset() if options.get("repr", True) else frozenset({"__repr__"})


def _is_plain(default: Any) -> bool:
    if isinstance(default, dataclasses.Field):
        return default.init and default.compare and default.hash is None
    return type(default).__hash__ is not None


def _init_later(made: Any, defaults: dict[str, Any], is_frozen: bool) -> Callable[..., None]:
    def compile_first(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _init(made, defaults, is_frozen)
        made.__init__(self, *args, **named)

    return compile_first


def _init(made: Any, defaults: dict[str, Any], is_frozen: bool) -> Callable[..., None]:
    """Text as the library would compile it, but that slots are set directly."""
    scope: dict[str, Any] = {"_absent": _ABSENT}
    given: list[str] = []
    body: list[str] = []
    for name in made.__slots__:
        default = defaults.get(name, _ABSENT)
        value = name
        if isinstance(default, dataclasses.Field):
            if default.default_factory is not dataclasses.MISSING:
                scope[f"_new_{name}"] = default.default_factory
                value = f"_new_{name}() if {name} is _absent else {name}"
                given.append(f"{name}=_absent")
                default = None
            elif default.default is dataclasses.MISSING:
                default = _ABSENT
            else:
                default = default.default
        if value == name:
            given.append(name if default is _ABSENT else f"{name}=_default_{name}")
            scope[f"_default_{name}"] = default
        if is_frozen:
            scope[f"_set_{name}"] = made.__dict__[name].__set__
            body.append(f" _set_{name}(self, {value})")
        else:
            body.append(f" self.{name} = {value}")
    exec(f"def __init__({', '.join(['self', *given])}):\n" + "\n".join(body or [" pass"]), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    return init


class _Fields:
    """The library's table of fields, made when it is asked for; then it takes this one's place."""

    __slots__ = ("_annotations", "_defaults")

    def __init__(self, annotations: dict[str, Any], defaults: dict[str, Any]) -> None:
        self._annotations = annotations
        self._defaults = defaults

    def __get__(self, instance: object, owner: type) -> dict[str, "dataclasses.Field[Any]"]:
        text = {"__annotations__": self._annotations, "__doc__": "-", **self._defaults}
        shadow: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(
            type(owner.__name__, (), {**text, "__module__": owner.__module__})
        )
        found: dict[str, dataclasses.Field[Any]] = shadow.__dataclass_fields__
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found


def _single(*names: str) -> Callable[[Any], tuple[Any, ...]]:
    return lambda self: tuple(getattr(self, name) for name in names)


def _equal_by(values: Callable[[Any], Any]) -> Callable[[Any, object], bool]:
    def equal(self: Any, other: object) -> bool:
        same: bool = other.__class__ is self.__class__ and values(self) == values(other)
        return same if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash_by(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda self: hash(values(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_setting(self: object, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__slots__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__slots__, state, strict=True):
        object.__setattr__(self, name, value)


_FROZEN: dict[str, Any] = {
    "__setattr__": _refuse_setting,
    "__delattr__": _refuse_deleting,
    "__getstate__": _state,
    "__setstate__": _restore,
}
