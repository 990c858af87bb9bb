"""Writes the table of the page about settings: `python scripts/settings_table.py`.

With `--check` nothing is written; the exit code is 1 when the page is not up to date.
"""

import json
import sys
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from evaltui.settings.model import Regressions, Settings, Watch

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guide" / "configuration.md"
BEGIN = "<!-- settings: made by scripts/settings_table.py -->\n"
END = "<!-- end of settings -->\n"
_IN_WORDS = MappingProxyType(
    {
        **dict.fromkeys(("evals", "registry", "tool_registry_path", "registries"), "found"),
        "agent": '`"embedded"`',
        "seed": "as above",
        "watch": "see below",
        "regressions": "see below",
    }
)
"""Defaults that are no value: what happens without the setting."""


def page_with_tables(page: str) -> str:
    """The page with what stands between the two marks replaced."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    tables = (("regressions", Regressions), ("watch", Watch))
    below = [f"Keys of `[{name}]`:\n\n{_table(model)}" for name, model in tables]
    both = "\n".join((_settings(), *below))
    return f"{before}{BEGIN}\n{both}\n{END}{after}"


def _settings() -> str:
    head = ["| TOML | JSON | default | meaning |", "|---|---|---|---|"]
    rows = [
        f"| `{name}` | `{field.alias}` | {_default(name, field)} | {_meaning(field)} |"
        for name, field in Settings.model_fields.items()
    ]
    return "\n".join((*head, *rows)) + "\n"


def _table(model: type[BaseModel]) -> str:
    head = ["| key | default | meaning |", "|---|---|---|"]
    rows = [
        f"| `{name}` | {_default(name, field)} | {_meaning(field)} |"
        for name, field in model.model_fields.items()
    ]
    return "\n".join((*head, *rows)) + "\n"


def _default(name: str, field: FieldInfo) -> str:
    if name in _IN_WORDS:
        return _IN_WORDS[name]
    is_empty = field.default is None or field.default in ([], {})
    return "none" if is_empty else f"`{json.dumps(field.default)}`"


def _meaning(field: FieldInfo) -> str:
    return (field.description or "").replace("|", "\\|")


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    made = page_with_tables(page)
    if "--check" in sys.argv[1:]:
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
