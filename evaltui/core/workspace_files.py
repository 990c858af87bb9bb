"""Files of an EvalStudio workspace by their names: its config, and the data of one project."""

CONFIG = "evalstudio.config.json"
DATA = "data"
"""The folder that the others stand in."""
SCENARIOS, PERSONAS, CONNECTORS, EVALS, RUNS = (
    f"{name}.json" for name in ("scenarios", "personas", "connectors", "evals", "runs")
)
PROVIDERS = "llm-providers.json"
"""Who answers for models, in a workspace of version 2; later ones say it in the config."""
CODE = "evalstudio"
"""Of problems in them."""
