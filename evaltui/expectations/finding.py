"""One remark about a case, before it is known where in the file the case stands."""

from msgspec import Struct

from evaltui.core.errors import Severity


class Finding(Struct, frozen=True):
    """`key` is the path below the case, e.g. `expect.toolsCalled`."""

    key: str
    what: str
    hint: str
    code: str
    severity: Severity = Severity.LINT
