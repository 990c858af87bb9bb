"""How a registry source gets at secrets without ever seeing where they are kept."""

from typing import Protocol


class Vault(Protocol):
    """Fills in `${NAME}` and masks what it filled in."""

    def fill(self, template: str, where: str) -> str:
        """Raises UserError naming a variable that is not set."""
        ...

    def hide(self, text: str) -> str: ...


class NoSecrets:
    """For reading without an environment: texts stay as they are written."""

    def fill(self, template: str, where: str) -> str:  # noqa: ARG002
        return template

    def hide(self, text: str) -> str:
        return text
