"""A scenario in a request: the same as in a file, and which file it goes to."""

from pydantic import Field

from evaltui.formats import scenario_model
from evaltui.formats.scenario import ENDING


class Scenario(scenario_model.Scenario):
    """A conversation with the agent, how it is judged, and where it is written."""

    file: str = Field(
        "",
        description=f"its file below the project's folder; `evals/NAME{ENDING}` without",
        pattern=ENDING.replace(".", r"\.") + "$",
    )
