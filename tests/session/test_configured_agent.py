"""Whether an agent is still the one that it was made as."""

from msgspec.structs import replace

from evaltui.session.configured_agent import ConfiguredAgent
from tests.session.test_agent_queues import Made, profile


def test_settings_that_shape_no_answer_make_it_another_agent_too() -> None:
    agent = Made("one", "print")
    one = ConfiguredAgent(agent, profile("one"), "off", "recordings")
    assert one.is_same(replace(one, agent=Made("one", "print")))
    others = {
        "profile": profile("one", max_cost_usd=1.0),
        "recordings": "record",
        "recording_dir": "elsewhere",
        "agent": Made("one", "another"),
        "lacks": "`KEY` is not set",
    }
    for name, value in others.items():
        assert not one.is_same(replace(one, **{name: value})), name
