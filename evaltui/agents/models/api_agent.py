"""Makes the agent of a profile whose model stands behind an API."""

from collections.abc import Mapping
from pathlib import Path

from evaltui.agents.models.api_model import ApiModel
from evaltui.agents.models.dialect import Dialect
from evaltui.agents.models.model_options import read_model_options
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.json_value import Json
from evaltui.net.secret_mask import project_secrets


def make_api_agent(
    dialect: Dialect,
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path,
    env: Mapping[str, str] | None = None,
) -> ToolLoop:
    """Named by its profile, or `TYPE/MODEL` when the profile is named like its type.

    Raises UserError for a wrong option. A missing key is an error of the first request only.
    """
    secrets = project_secrets(root, env)
    checked = read_model_options(
        dialect.profile,
        dialect.type,
        options,
        default_url=dialect.default_url,
        root=root,
        secrets=secrets,
    )
    model = ApiModel(dialect, checked)
    return ToolLoop(model, name if name and name != dialect.type else model.name)
