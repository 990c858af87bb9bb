"""The model that judges in an EvalStudio workspace, as its `llmSettings` name it."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath
from evaltui.core.variable import EVALSTUDIO
from evaltui.core.workspace_files import CODE
from evaltui.json_text.document import JsonDocument
from evaltui.settings.evalstudio.evalstudio_entities import Entities, read_entities
from evaltui.settings.evalstudio.evalstudio_model import LlmSettings, LlmUse, LlmUses, Provider
from evaltui.settings.mistakes import keep_valid
from evaltui.settings.sentences import Wording
from evaltui.settings.spelling import camel_case

_MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-3-5-haiku-20241022"}
_UNTIL_THEN = {
    "evaluation": "No model judges until then.",
    "persona": "The model that judges plays users until then.",
}
"""By what version 2 names a provider for."""

M = TypeVar("M", bound=BaseModel)


class JudgeReading:
    """Of one config; `problems` has what is wrong, `files` what was read besides."""

    def __init__(self, document: JsonDocument, path: KeyPath, root: Path, providers: str) -> None:
        """`path`: of the settings in the document; `providers`: the file that version 2 has them
        in, below the settings' folder `root`."""
        self._document, self._path = document, path
        self._root, self._providers = root, providers
        self.problems: list[Problem] = []
        self.files: list[str] = []

    def read(self, found: object) -> dict[str, Any] | None:
        """`[judge]` of ours; `None` where no model is named that can judge."""
        by_use = found if isinstance(found, dict) and "provider" not in found else {}
        if by_use.keys() & _UNTIL_THEN.keys():
            return self._of_providers(found)
        written = self._valid(LlmSettings, found)
        if written is None:
            return None
        models = written.models
        model = (models and models.evaluation) or _MODELS[written.provider]
        key = "" if written.api_key is None else "/".join(map(str, (*self._path, "apiKey")))
        judge = _asked(written.provider, model, key)
        if models is not None and models.persona not in (None, model):
            judge["persona"] = {"model": models.persona}
        return judge

    def _of_providers(self, found: object) -> dict[str, Any] | None:
        """As version 2 has it: providers by id, in a file of their own."""
        name = self._providers
        providers = read_entities(Provider, self._root, name, "a provider")
        self.files.append(name)
        self.problems += providers.problems
        written = self._valid(LlmUses, found)
        if written is None or written.evaluation is None:
            return None
        judge = self._of_provider("evaluation", written.evaluation, providers)
        if judge is None or written.persona in (None, written.evaluation):
            return judge
        player = self._of_provider("persona", written.persona, providers)
        return judge if player is None else {**judge, "persona": player}

    def _of_provider(
        self, use: str, written: LlmUse, providers: Entities[Provider]
    ) -> dict[str, Any] | None:
        known = (one for one in providers.found if one.value.id == written.provider_id)
        entity = next(known, None)
        if entity is not None:
            provider = entity.value.provider
            key = f"{self._providers}#{entity.index}/apiKey"
            return _asked(provider, written.model or _MODELS[provider], key)
        if providers.is_read:
            what = f"There is no provider `{written.provider_id}`"
            hint = f"They are in `{self._providers}`: add it there. {_UNTIL_THEN[use]}"
            self._add((use, "providerId"), what, hint, Severity.WARNING)
        return None

    def _valid(self, model: type[M], found: object) -> M | None:
        wording = Wording("field of `llmSettings`", "an object", camel_case)
        written, mistakes = keep_valid(model, found, wording)
        for one in mistakes:
            self._add(one.path, one.what, one.hint, Severity.ERROR)
        return written

    def _add(self, path: KeyPath, what: str, hint: str, severity: Severity) -> None:
        place = (*self._path, *path)
        found = self._document.problem(place, what, hint, severity=severity, code=CODE)
        self.problems.append(found)


def _asked(type_: str, model: str, key: str) -> dict[str, Any]:
    """`key`: where the secret stands, if one does. Not the key itself: settings are shown, sent to
    children and compared, and hold no secret."""
    return {"type": type_, "model": model} | ({"api_key": f"${{{EVALSTUDIO}{key}}}"} if key else {})
