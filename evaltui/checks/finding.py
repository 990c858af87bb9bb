"""One remark about a case, before it is known where in the file the case stands."""

from evaltui.core.errors import Severity
from evaltui.core.record import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`key` is the path below the case, e.g. `expect.toolsCalled`."""

    key: str
    what: str
    hint: str
    code: str
    severity: Severity = Severity.LINT
