"""The registry of evaluators: the built-in ones, and those that a project loads."""

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.verdict import CRITERIA, RUBRIC, TIMEOUT
from evaltui.evaluators.config_schema import ConfigSchema

if TYPE_CHECKING:
    from evaltui.evaluators.kit.evaltui import EvaluatorDefinition


class DuplicateTypeError(UserError):
    """Two evaluators have the same type."""


class Registered(Struct, frozen=True):
    """One evaluator and where it comes from."""

    definition: "EvaluatorDefinition"
    origin: str = ""
    """The entry of the settings that it was loaded from; empty where it was not."""
    fingerprint: str = ""
    """12 hex digits of the files it is made of; another one is another evaluator."""
    knows_files: bool = True
    """Whether these are all, as far as can be seen."""
    schema: ConfigSchema | None = None
    """Of its settings."""
    is_built_in: bool = False


class EvaluatorRegistry:
    """Evaluators by their types, in the order in which they were registered."""

    def __init__(
        self, built_in: Iterable[Registered] = (), kept: Container[str] | None = None
    ) -> None:
        """`kept`: types of `built_in` that no other may have; by default all of these."""
        self._known = {one.definition.type: one for one in built_in}
        self._kept = kept
        self.is_complete = True
        """Whether all that the settings name was loaded; else a type that is not known may be in
        what was not."""

    def __iter__(self) -> Iterator[Registered]:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def register(
        self,
        definition: "EvaluatorDefinition",
        *,
        origin: str = "",
        fingerprint: str = "",
        knows_files: bool = True,
    ) -> None:
        """One of a project or a program. Raises DuplicateTypeError for a type that is taken,
        UserError for a broken schema and for the name of a check of ours: verdicts, metrics and
        costs go by these."""
        if _is_ours(definition.type):
            raise _reserved(definition.type, origin)
        known = self._known.get(definition.type)
        if known is not None and not self._gives_way(known):
            raise _duplicate(known, origin)
        schema = definition.config_schema
        made = None if schema is None else ConfigSchema.of(definition.type, schema)
        self._known[definition.type] = Registered(
            definition, origin, fingerprint, knows_files, made
        )

    def _gives_way(self, known: Registered) -> bool:
        taken = known.definition.type
        return known.is_built_in and self._kept is not None and taken not in self._kept

    def get(self, type_: str) -> "EvaluatorDefinition | None":
        """`None` for a type that nobody registered."""
        known = self._known.get(type_)
        return known.definition if known is not None else None

    def registered(self, type_: str) -> Registered | None:
        return self._known.get(type_)

    def types(self) -> tuple[str, ...]:
        return tuple(self._known)

    @property
    def auto(self) -> tuple[str, ...]:
        """Types that judge every scenario, named there or not."""
        return tuple(one.definition.type for one in self if one.definition.auto)

    def list(self) -> list[dict[str, Json]]:
        """What is said of each, with the keys of the evaluators' contract."""
        return [_listed(one) for one in self]


OF_EVALSTUDIO = frozenset({"tool-call-count", "token-usage"})
"""Types that come along with EvalStudio too."""


def create_registry(kept: Container[str] | None = None) -> EvaluatorRegistry:
    """One with the evaluators that come along; `kept`: those of them that no other may replace, by
    default all."""
    from evaltui.evaluators.built_in import BUILT_IN, FURTHER

    built_in = []
    for one in BUILT_IN:
        schema = one.config_schema  # known to be right
        made = None if schema is None else ConfigSchema(schema, FURTHER.get(one.type))
        built_in.append(Registered(one, schema=made, is_built_in=True))
    return EvaluatorRegistry(built_in, kept)


def _listed(one: Registered) -> dict[str, Json]:
    definition = one.definition
    said: dict[str, Json] = {"type": definition.type, "label": definition.label}
    if definition.description:
        said["description"] = definition.description
    said["kind"] = definition.kind
    if definition.config_schema is not None:
        said["configSchema"] = dict(definition.config_schema)
    said["builtin"] = one.is_built_in
    if definition.auto:
        said["auto"] = True
    return said


def _is_ours(type_: str) -> bool:
    from evaltui.expectations import ASSERTIONS

    return type_ in ASSERTIONS or type_ in _OURS or type_.startswith(RUBRIC)


_OURS = frozenset({CRITERIA, TIMEOUT, "expect"})


def _reserved(type_: str, origin: str) -> UserError:
    what = f'Evaluator type "{type_}" is the name of a check of evaltui\'s own.'
    return UserError(what, f"Give {_named(origin)} another type.")


def _named(origin: str) -> str:
    return f"the one in `{origin}`" if origin else "yours"


def _duplicate(known: Registered, origin: str) -> DuplicateTypeError:
    type_ = known.definition.type
    what = f'Evaluator type "{type_}" is already registered.'
    if known.is_built_in:
        what += " Custom evaluators cannot override built-in types."
        return DuplicateTypeError(what, f"Give {_named(origin)} a type of its own.")
    if not (known.origin and origin):
        return DuplicateTypeError(what, f"Give {_named(origin)} another type.")
    where = f"`{known.origin}` and `{origin}` both define it"
    if known.origin == origin:
        where = f"`{origin}` defines it twice"
    return DuplicateTypeError(what, f"{where}; rename one of them.")
