"""What is in force where a project says nothing; the first ones are the contract's."""

from pathlib import Path

import pytest

from evaltui.core.config import (
    CALL_AT,
    AgentProfile,
    Config,
    JudgeConfig,
    RegistrySource,
    RegressionsConfig,
    WatchConfig,
    shaping,
)

CONFIG = Config(Path())


DEFAULTS: list[tuple[str, object]] = [
    ("seed_manifest_path", "evals/seed-manifest.json"),
    ("output_dir", "evals/results"),
    ("snapshot_enabled", False),
    ("concurrency", 1),
    ("timeout_ms", 60_000),
    ("baseline_run_id", None),
    ("keep_runs", 50),
    ("evals", ()),
    ("registries", ()),
    ("agents", (AgentProfile(),)),
    ("profiles", {}),
    ("snapshot", ""),
    ("file", ""),
    ("trials", 1),
    ("multiset_tools", True),
    ("call_at", CALL_AT),
    ("confirm_above", 1.0),
    ("max_cost_usd", None),
    ("max_requests_per_minute", None),
    ("fail_on", ("failures", "regressions")),
    ("mutes", {}),
    ("watch", WatchConfig(poll=False, debounce_ms=50)),
    ("theme", "dark"),
    ("keys", {}),
    ("keys_preset", "default"),
    ("evaluators", ()),
    ("judge", None),
    ("regressions", RegressionsConfig("ask", 0.1, 20, 0, False)),
    ("recordings", "off"),
    ("recording_dir", "evals/cassettes"),
    ("outside", ()),
    ("typed", frozenset()),
    ("read_along", ()),
    ("is_trusted", False),
    ("is_unread", False),
]


@pytest.mark.parametrize(("name", "value"), DEFAULTS)
def test_a_setting_that_nobody_made(name: str, value: object) -> None:
    assert getattr(CONFIG, name) == value


def test_every_setting_has_its_default_here() -> None:
    """But for the root, which has none."""
    assert {name for name, _ in DEFAULTS} == {*Config.__struct_fields__} - {"root"}


def test_the_embedded_agent_needs_no_profile() -> None:
    assert CALL_AT == 0.4
    assert AgentProfile() == AgentProfile("embedded", "embedded", {}, None, None)
    assert RegistrySource() == RegistrySource("auto", "", {})


@pytest.mark.parametrize(("is_model", "shapes"), [(True, False), (False, True)])
def test_whether_an_answer_is_streamed_shapes_it_unless_a_model_gives_it(
    is_model: bool, shapes: bool
) -> None:
    options = {"temperature": 0.5, "stream": True, "timeout": 3}
    shaped = shaping(options, is_model=is_model)
    assert shaped == {"temperature": 0.5} | ({"stream": True} if shapes else {})


def test_who_plays_users_is_asked_too() -> None:
    judge, player = AgentProfile("judge"), AgentProfile("player")
    assert JudgeConfig(judge).profiles == (judge,)
    assert JudgeConfig(judge, player=player).profiles == (judge, player)
