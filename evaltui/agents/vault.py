"""The secrets of a project for those who may not know where they come from."""

from collections.abc import Mapping
from pathlib import Path

from evaltui.net.secret_mask import Secrets
from evaltui.net.secret_sources import SecretSources
from evaltui.net.target import is_secret_name


class ProjectVault:
    """Fills in from the environment, `.env` and the keyring, and masks what it filled in."""

    def __init__(self, root: Path, env: Mapping[str, str] | None = None) -> None:
        self._secrets = Secrets()
        self._sources = SecretSources(root, env)

    def fill(self, template: str, where: str) -> str:
        """Raises UserError naming a variable that is not set.

        A literal that stands where a secret usually does is masked too.
        """
        value = self._secrets.fill(template, self._sources, where)
        if is_secret_name(where):
            self._secrets.add(value, where)
            self._secrets.add(value.rpartition(" ")[2], where)
        return value

    def hide(self, text: str) -> str:
        return self._secrets.hide(text)
