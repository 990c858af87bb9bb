"""The run as traces, sent to an OpenTelemetry collector."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

from evaltui import __version__
from evaltui.evidence.otel.sending import Sender
from evaltui.reporters.evidence import write_pack
from evaltui.reporters.written_at_end import WrittenAtEnd


class OtelReporter(WrittenAtEnd):
    """Sent at the end, also of a run that was broken off. Raises UserError for no endpoint, and
    when closed where not all of it arrived."""

    def __init__(self, endpoint: str, *, is_agreed: bool = False) -> None:
        super().__init__(io.StringIO())
        self._is_agreed = is_agreed
        self._sender = Sender(endpoint, __version__)

    def close(self) -> None:
        try:
            for run in self._runs:
                with TemporaryDirectory(prefix="evaltui-otel-") as folder:
                    pack = Path(folder) / "pack"
                    resumed = self._resumed_of(run.agent)
                    write_pack(
                        run, pack, self._suites, resumed,
                        is_evidence=False, is_agreed=self._is_agreed,
                    )  # fmt: skip
                    self._sender.send(pack)
        finally:
            self._sender.close()
