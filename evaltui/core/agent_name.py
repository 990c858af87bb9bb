"""What results call agents: a profile's name, a URL, or the embedded agent by its version."""

JUDGE = "judge"
"""Of the agent that judges, and of its table in the settings. An agent under test may be called the
same: what is told of agents goes by their tables."""
ALL_JUDGING = "[judge]"
"""Of what the judge did cost by all whose answers it judged, where that is told beside agents."""
EMBEDDED = "embedded"


def embedded_name(version: str, profile: str = EMBEDDED) -> str:
    """`embedded/1`, or `embedded/1:strict` for a profile of another name.

    The version stands in it: results of another one, or of a real model, must never be taken for
    its own.
    """
    return f"{EMBEDDED}/{version}" if profile == EMBEDDED else f"{EMBEDDED}/{version}:{profile}"


def is_embedded(name: str) -> bool:
    """Whether results of that name are the embedded agent's."""
    return name == EMBEDDED or name.startswith(f"{EMBEDDED}/")


def settings_name(name: str) -> str:
    """How the settings call the agent that results call `name`: `embedded`, or the profile."""
    return name.partition(":")[2] or EMBEDDED if is_embedded(name) else name


def is_other_version(name: str, other: str) -> bool:
    """Whether both are the embedded agent of one name in the settings, in two versions."""
    are_embedded = is_embedded(name) and is_embedded(other)
    return are_embedded and name != other and settings_name(name) == settings_name(other)
