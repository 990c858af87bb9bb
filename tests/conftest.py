"""What all tests share."""

import os
from hashlib import sha256

import pytest
from hypothesis import settings

LONGEST_ID = 60

# Tests are about what agents do, not about who agreed to them; those of tests/trust are without.
os.environ["EVALTUI_TRUST"] = "1"

# A busy machine must not fail a rule: speed is shown in benchmarks/, as a ratio.
settings.register_profile("evaltui", deadline=None)
settings.load_profile("evaltui")


def pytest_make_parametrize_id(
    config: pytest.Config,  # noqa: ARG001
    val: object,
    argname: str,
) -> str | None:
    """Short names for long values: a test's name stands in the environment of what it starts."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_ID:
        data = val.encode("utf-8", "surrogatepass") if isinstance(val, str) else val
        return f"{argname}-{len(val)}-{sha256(data).hexdigest()[:6]}"
    return None
