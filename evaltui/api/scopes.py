"""Projects by their ids: those of an EvalStudio workspace, else the one that is served."""

from msgspec import Struct

from evaltui.api.faults import NotFound
from evaltui.core.config import Config
from evaltui.core.did_you_mean import did_you_mean, few
from evaltui.core.errors import Problem
from evaltui.core.workspace_files import CONFIG
from evaltui.files import read_file
from evaltui.json_text.document import read_json


class Scope(Struct, frozen=True):
    """What a request is about."""

    id: str
    name: str
    folder: str = ""
    """Below the root; empty where everything is meant."""

    def has(self, file: str) -> bool:
        return not self.folder or file == self.folder or file.startswith(f"{self.folder}/")


EVERYTHING = Scope("", "")


def scopes(config: Config) -> tuple[Scope, ...]:
    """One for each project; the only one has all files, wherever they stand."""
    found = tuple(_of_workspace(config)) if config.file == CONFIG else ()
    if len(found) == 1:
        return (Scope(found[0].id, found[0].name),)
    return found or (Scope(config.root.name, config.root.name),)


def scope_of(config: Config, id_: str | None) -> Scope:
    """`None`: no project is named. Raises NotFound."""
    if id_ is None:
        return EVERYTHING
    known = {one.id: one for one in scopes(config)}
    if id_ not in known:
        hint = did_you_mean(id_, known) or f"There are {few([*known])}."
        raise NotFound(f"There is no project `{id_}`.", hint)
    return known[id_]


def _of_workspace(config: Config) -> list[Scope]:
    from evaltui.settings.evalstudio.evalstudio_file import workspace_projects

    document = read_json(CONFIG, read_file(config.root / CONFIG))
    if isinstance(document, Problem) or not isinstance(document.value, dict):
        return []
    listed = workspace_projects(document)
    return [Scope(one.id, one.name, one.folder) for one in listed if one.entry]
