"""Nothing is asked again within a limit where an answer did not tell what it cost."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.cli.main import run_command

CASES = 6
PROJECT = """
agent = {agents}
concurrency = {concurrency}
max_cost_usd = {limit}
"""
PROFILE = """
[agents.{name}]
type = "openai"
model = "m"
base_url = "{url}"
is_free = false
stream = {stream}
"""
JUDGED = """
[agents.free]
url = "{url}/free"
is_free = true
[judge]
type = "openai"
model = "m"
base_url = "{url}"
is_free = false
"""


class _Silent(BaseHTTPRequestHandler):
    """A model that tells no usage, with an answer that judges too."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        said = {"role": "assistant", "content": '{"score": 1, "rationale": "fine"}'}
        choice = {"index": 0, "finish_reason": "stop"}
        kind = "text/event-stream" if body.get("stream") else "application/json"
        if self.path == "/free":
            sent = json.dumps({"response": "fine", "toolCalls": []}).encode()
        elif body.get("stream"):
            event = json.dumps({"choices": [{**choice, "delta": said}]})
            sent = f"data: {event}\n\ndata: [DONE]\n\n".encode()
        else:
            sent = json.dumps({"choices": [{**choice, "message": said}]}).encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None: ...


class Project:
    """In the current folder; its server keeps count."""

    def __init__(self, root: Path, server: ThreadingHTTPServer) -> None:
        self._root = root
        self._asked: list[str] = server.asked  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self._rubric = [{"dimension": "kind", "maxScore": 1, "criteria": "1: kind. 0: else."}]

    def write(
        self,
        *more: str,
        stream: bool = False,
        concurrency: int = 1,
        limit: float = 0.5,
        **by_name: str,
    ) -> None:
        """`by_name`: what the profiles say besides."""
        agents = json.dumps([*by_name] or ["free"])
        text = PROJECT.format(agents=agents, concurrency=concurrency, limit=limit)
        said = json.dumps(stream)
        for name, own in by_name.items():
            text += PROFILE.format(name=name, url=self.url, stream=said) + own + "\n"
        (self._root / "evaltui.toml").write_text(text + "\n".join(more))

    def write_cases(self, *, are_judged: bool = False) -> None:
        of_each: dict[str, object] = {"rubric": self._rubric} if are_judged else {"expect": {}}
        cases = [{"id": f"c{n}", "input": {"message": f"m{n}"}, **of_each} for n in range(CASES)]
        (self._root / "evals").mkdir()
        name = "a.rubric.json" if are_judged else "a.golden.json"
        (self._root / "evals" / name).write_text(json.dumps({"cases": cases}))

    def run(self, *flags: str) -> int:
        """How many paid requests were sent."""
        self._asked.clear()
        assert run_command(["run", "--trust", *flags]) != 3
        return len([path for path in self._asked if path != "/free"])

    def resume(self) -> int:
        return self.run("--resume")


@contextmanager
def made(root: Path) -> Iterator[Project]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Silent)
    server.daemon_threads = True
    server.asked = []  # type: ignore[attr-defined]
    serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        with pytest.MonkeyPatch.context() as context:
            context.chdir(root)
            yield Project(root, server)
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made(tmp_path) as one:
        one.write_cases()
        yield one


PRICE = "price = { input = 0, output = 10 }"


def test_a_price_that_is_stated_already_is_no_reason_to_ask_again(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write(a=PRICE)
    assert [project.run(), project.resume(), project.resume()] == [1, 0, 0]
    said = capsys.readouterr().out
    assert "its profile states a `price`, and no answer tells all that it used" in said
    assert "State `max_tokens` too" in said
    assert "Give its profile a `price`" not in said


def test_a_price_that_is_stated_later_is_tried_once(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write(a="")
    assert [project.run(), project.resume()] == [1, 0]
    assert "Give its profile a `price`" in capsys.readouterr().out
    project.write(a=PRICE)
    assert [project.resume(), project.resume(), project.resume()] == [1, 0, 0]


def test_it_goes_on_once_each_answer_has_a_worst_case(project: Project) -> None:
    project.write(a=PRICE)
    project.run()
    project.write(a=f"{PRICE}\nmax_tokens = 10")
    assert project.resume() >= CASES - 1


def test_who_is_free_now_keeps_nobody_else_from_being_asked(project: Project) -> None:
    project.write(a="", b="")
    assert [project.run(), project.resume()] == [1, 0]
    settings = Path("evaltui.toml")
    settings.write_text(settings.read_text().replace("is_free = false", "is_free = true", 1))
    assert project.resume() == CASES, "a's that were left, and one of b"


def test_the_price_of_who_is_judged_is_none_of_the_judge(tmp_path: Path) -> None:
    with made(tmp_path) as project:
        project.write_cases(are_judged=True)
        judge = JUDGED.format(url=project.url)
        project.write(judge)
        assert [project.run(), project.resume(), project.resume()] == [1, 0, 0]
        project.write(judge + PRICE)
        assert [project.resume(), project.resume(), project.resume()] == [1, 0, 0]


STEPS = st.fixed_dictionaries(
    {
        "stream": st.booleans(),
        "concurrency": st.sampled_from((1, 8)),
        "limit": st.sampled_from((0.1, 0.5, 2.0)),
        "a": st.sampled_from((PRICE, PRICE.replace("0,", "1,"), f"temperature = 0\n{PRICE}")),
    }
)


@pytest.mark.slow
@settings(deadline=None, max_examples=8)
@given(history=st.lists(STEPS, min_size=2, max_size=6))
def test_no_number_of_resumed_runs_adds_a_request(
    tmp_path_factory: pytest.TempPathFactory, history: list[dict[str, object]]
) -> None:
    with made(tmp_path_factory.mktemp("priced")) as project:
        project.write_cases()
        asked = 0
        for number, step in enumerate(history):
            project.write(**step)  # type: ignore[arg-type]
            asked += project.resume() if number else project.run()
        assert asked == 1
