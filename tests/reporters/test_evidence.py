"""Evidence of eval files: nothing passes there that did not pass, and it is compared and gated."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.case import (
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    ScenarioCase,
)
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd
from evaltui.core.paired_runs import paired_results
from evaltui.core.persona import Persona
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.verdict import CRITERIA, Kind, Verdict, VerdictStatus
from evaltui.disk.baselines.baselines import Baselines
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import read_side
from evaltui.evidence.packs.pack_hashes import file_hash
from evaltui.reporters.evidence import EvidenceReporter
from tests.evidence.made_packs import made_pack, read
from tests.reporters.scene import AGENT, events, result, suite, suite_result, tell

FAILED, PASSED, ERROR = CaseStatus.FAILED, CaseStatus.PASSED, CaseStatus.ERROR
CALL = ToolCall("find", {"q": 1}, True, 2.0, {"hits": 3}, id="c1")
ANSWER = AgentResponse(
    "three",
    (CALL,),
    12.0,
    messages=(Message("user", "hi"), Message("assistant", "I look", (CALL,))),
)


def verdict(check: str, passed: bool = True, **more: Any) -> Verdict:
    status = VerdictStatus.PASSED if passed else VerdictStatus.FAILED
    return Verdict(check, status, f"{check} said so", **more)


def pack(
    place: Path, *results: tuple[str, CaseStatus, dict[str, Any]], end: RunEnd = RunEnd.COMPLETED
) -> Path:
    one = suite("a", [id_ for id_, _, _ in results])
    rows: list[CaseResult] = [result(one, id_, status, **more) for id_, status, more in results]
    tell(EvidenceReporter(str(place)), events([one], rows, end=end))
    return place


def cases_of(place: Path) -> dict[str, Any]:
    return {one["case_id"].split("::")[1]: one for one in read(place / "report.json")["cases"]}


def test_a_case_passes_there_only_when_it_passed(tmp_path: Path) -> None:
    place = pack(
        tmp_path / "p",
        ("good", PASSED, {"verdicts": (verdict("toolsCalled"),)}),
        ("bad", FAILED, {"verdicts": (verdict("toolParams"), verdict("toolParams", False))}),
        ("down", ERROR, {"verdicts": (), "category": ""}),
        ("locked", ERROR, {"verdicts": (), "category": "auth"}),
        ("late", FAILED, {"verdicts": (verdict("timeout", False),), "category": "timeout"}),
        ("odd", FAILED, {"verdicts": (verdict("toolsCalled"),)}),
        ("empty", PASSED, {"assertions_run": 0}),
        ("idle", CaseStatus.SKIPPED, {"assertions_run": 0}),
    )
    found = cases_of(place)
    passed = {id_: (one["passed"], one["hard_failed"]) for id_, one in found.items()}
    assert passed == {
        "good": (True, False),
        "bad": (False, True),
        "down": (False, True),
        "locked": (False, True),
        "late": (False, True),
        "odd": (False, True),
    }, "what nothing judged, or nobody asked, is no evidence"
    assert all(isinstance(one["asserted"], dict) for one in found.values())
    agent = {id_: one["judge_results"][0] for id_, one in found.items()}
    assert {id_: one.get("category") for id_, one in agent.items()} == {
        "good": None,
        "bad": None,
        "down": "agent_error",
        "locked": "agent_error",
        "late": "timeout",
        "odd": "agent_error",
    }
    (params,) = (one for one in found["bad"]["judge_results"] if one["judge_id"] == "toolParams")
    assert (params["score"], len(params["evidence_refs"]["results"])) == (0.5, 2)
    config = read(place / "run" / "config.json")
    assert config["judges"] == ["agent", "toolsCalled", "toolParams"]
    assert (config["agent_version"], config["dataset_id"]) == (AGENT, "evals/a.golden.json")


def test_the_trace_is_what_the_agent_was_asked_and_did(tmp_path: Path) -> None:
    place = pack(tmp_path / "p", ("a", PASSED, {"response": ANSWER}))
    (folder,) = (place / "cases").iterdir()
    trace = read(folder / "trajectory.json")["trace"]
    assert [(one["type"], one["input"] or one["output"], one["latency_ms"]) for one in trace] == [
        ("message", "hi", None),
        ("message", "I look", None),
        ("tool_call", {"q": 1}, None),
        ("tool_result", {"hits": 3}, 2.0),
        ("message", "three", 10.0),
    ]
    assert read(place / "report.json")["measurements"]["latency_ms"]["mean"] == 12


def with_body(body: ContractCase, *verdicts: Verdict) -> tuple[Suite, CaseResult]:
    """An eval file of one case of that kind, and what came of it."""
    of = suite("s", ["talk"])
    (case,) = of.cases
    answered = result(of, "talk", verdicts=verdicts, response=ANSWER)
    return replace(of, cases=(replace(case, body=body),)), answered


CONVERSATION = ScenarioCase("", persona=Persona("Ann", lines=("hi",)), success_criteria="it helps")
DIMENSIONS = (RubricDimension("tone", 5, "kind"), RubricDimension("facts", 5, "true"))


@pytest.mark.parametrize(
    ("body", "verdicts", "judges"),
    [
        (CONVERSATION, (verdict(CRITERIA),), ["agent", CRITERIA]),
        (
            RubricCase("hi", expect={"toolsCalled": ["find"]}, dimensions=DIMENSIONS),
            (verdict("toolsCalled"), verdict("rubric/tone", value=0.8)),
            ["agent", "toolsCalled", "rubric/tone", "rubric/facts"],
        ),
    ],
)
def test_conversations_and_rubrics_are_evidence_too(
    tmp_path: Path, body: ContractCase, verdicts: tuple[Verdict, ...], judges: list[str]
) -> None:
    of, answered = with_body(body, *verdicts)
    place = tmp_path / "p"
    tell(EvidenceReporter(str(place)), events([of], [answered]))
    assert read(place / "run" / "config.json")["judges"] == judges
    row = cases_of(place)["talk"]
    assert row["passed"] and isinstance(row["asserted"], dict)
    told = {one["judge_id"]: one["score"] for one in row["judge_results"]}
    assert [*told] == ["agent", *(one.check for one in verdicts)]
    assert told[verdicts[-1].check] == (verdicts[-1].value or 1.0)
    (folder,) = (place / "cases").iterdir()
    assert len(read(folder / "trajectory.json")["trace"]) == 5
    assert compare(read_side(place), read_side(place), reference={})["regressions"] == []


def test_of_two_agents_each_has_a_folder(tmp_path: Path) -> None:
    of = suite("a", ["x"])
    reporter = EvidenceReporter(str(tmp_path / "p"))
    for agent, status in (("one/1", PASSED), ("two", FAILED)):
        row = result(of, "x", status, agent=agent, verdicts=(verdict("toolsCalled"),))
        for event in events([of], [row], agent=agent):
            reporter.handle(event)
    reporter.close()
    found = {read(one)["agent_version"]: one for one in (tmp_path / "p").rglob("config.json")}
    passed = {name: read(one.parent / "summary.json")["pass_rate"] for name, one in found.items()}
    assert passed == {"one/1": 1.0, "two": 0.0}
    assert [one.parent.parent.parent for one in found.values()] == [tmp_path / "p"] * 2


def test_a_run_that_was_broken_off_is_no_evidence(tmp_path: Path) -> None:
    assert not pack(tmp_path / "p", ("a", PASSED, {}), end=RunEnd.CANCELLED).exists()


def test_a_folder_of_somebody_elses_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    with pytest.raises(UserError, match="not an evidence pack"):
        EvidenceReporter(str(tmp_path))
    for agent in "ab":
        pack(tmp_path / "evals" / agent, ("a", PASSED, {}))
    assert pack(tmp_path / "evals", ("a", PASSED, {})).exists(), "of one agent where two had theirs"


def test_two_runs_are_compared_and_gated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    good = {"verdicts": (verdict("toolsCalled"),)}
    pack(Path("b"), ("x", PASSED, good), ("y", PASSED, good))
    bad = {"verdicts": (verdict("toolsCalled", False),)}
    pack(Path("c"), ("x", PASSED, good), ("y", FAILED, bad))
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    gate = ["gate", "--compare", "c/compare/baseline_delta.json", "--max-regressed-cases"]
    assert (run_command([*gate, "1"]), run_command([*gate, "0"])) == (0, 1)
    assert run_command(["replay", "--run", "c"]) == 1, "its verdicts are no judges' of traces"


def test_a_metric_that_could_not_be_measured_is_skipped(tmp_path: Path) -> None:
    broken = Verdict("size", VerdictStatus.ERROR, "Evaluator error: boom", kind=Kind.METRIC)
    measured = verdict("size", kind=Kind.METRIC, value=40)
    here = {"verdicts": (verdict("toolsCalled"), broken)}
    later = {"verdicts": (verdict("toolsCalled"), broken, measured)}
    place = pack(tmp_path / "p", ("x", PASSED, here), ("y", PASSED, later))
    rows = read(place / "judges" / "size.json")
    told = [(one["skipped"], one["passed"], one["reason"]) for one in rows]
    assert told == [(True, True, "Evaluator error: boom"), (False, True, "size said so")]
    assert rows[1]["score"] == 40


def test_what_is_measured_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lower number is no regression, and nothing that a waiver must name."""
    monkeypatch.chdir(tmp_path)

    def judged(passed: bool, length: int) -> dict[str, Any]:
        measured = verdict("size", kind=Kind.METRIC, value=length)
        return {"verdicts": (verdict("toolsCalled", passed), measured)}

    pack(Path("b"), ("x", PASSED, judged(True, 90)), ("y", FAILED, judged(False, 90)))
    pack(Path("c"), ("x", FAILED, judged(False, 40)), ("y", FAILED, judged(False, 40)))
    register = ("registry", "baseline-set", "--name", "main", "--run", "b")
    assert run_command([*register]) == 0
    assert run_command(["compare", "--baseline", "main", "--candidate", "c"]) == 0
    delta = read(Path("c/compare/baseline_delta.json"))
    assert "size" not in delta["judge_metrics"]
    assert delta["score_regressions"] == []
    (changed,) = delta["case_regressions"]
    assert [*changed["judge_score_deltas"]] == ["agent", "toolsCalled"]
    (row,) = [one for one in read(Path("c/judges/size.json")) if one["case_id"].endswith("x")]
    assert (row["kind"], row["score"]) == ("metric", 40)
    who = ("--baseline-name", "main", "--approved-by", "me", "--reason", "known")
    waived = ("--case-id", changed["case_id"], "--judge-id", "toolsCalled")
    assert run_command(["registry", "waiver-add", *who, *waived]) == 0
    gate = ["gate", "--compare", "c/compare/baseline_delta.json", "--max-regressed-cases", "0"]
    assert run_command([*gate, "--apply-waivers", "--baseline-name", "main"]) == 0


@pytest.mark.parametrize("kind", Kind)
def test_only_what_decides_is_missed_where_it_is_gone(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with_size = {"verdicts": (verdict("toolsCalled"), verdict("size", kind=kind, value=1))}
    pack(Path("b"), ("x", PASSED, with_size), ("y", PASSED, with_size))
    without = {"verdicts": (verdict("toolsCalled"),)}
    pack(Path("c"), ("x", PASSED, without), ("y", PASSED, without))
    is_missed = kind is Kind.ASSERTION
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == int(is_missed)
    assert run_command(["compare", "--baseline", "c", "--candidate", "b"]) == 0


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Both cases pass in what is pinned as `main`."""
    monkeypatch.chdir(tmp_path)
    one = suite("a", ["x", "y"])
    rows = [result(one, id_) for id_ in ("x", "y")]
    baselines = Baselines.load(tmp_path / "evals" / "baselines")
    baselines.pin("main", AGENT, [suite_result(one, rows)])
    good = {"verdicts": (verdict("toolsCalled"),)}
    bad = {"verdicts": (verdict("toolsCalled", False),)}
    return pack(tmp_path / "c", ("x", PASSED, good), ("y", FAILED, bad))


COMPARE = ["compare", "--baseline", "main", "--candidate", "c"]


def test_a_pinned_name_is_a_baseline_too(pinned: Path) -> None:
    assert run_command(COMPARE) == 0
    delta = read(pinned / "compare" / "baseline_delta.json")
    assert delta["metrics"]["pass_rate"]["delta"] == -0.5
    regressed = [one["case_id"] for one in delta["case_regressions"] if one["regressed"]]
    assert regressed == [str(CaseKey("evals/a.golden.json", "y"))]


def test_a_name_of_both_is_an_error(pinned: Path, capsys: Any) -> None:
    baseline = made_pack(pinned.parent / "runs" / "b")
    register = ["registry", "baseline-set", "--name", "main", "--run", str(baseline)]
    assert run_command(register) == 0
    assert run_command(COMPARE) == 1
    assert "pinned results and a baseline" in capsys.readouterr().err


def test_a_folder_of_a_pinned_name_is_an_error(pinned: Path, capsys: Any) -> None:
    made_pack(pinned.parent / "main")
    assert run_command(COMPARE) == 1
    assert "a file or folder here" in capsys.readouterr().err
    assert run_command(["compare", "--baseline", "./main", "--candidate", "./main"]) == 0


def test_what_is_pinned_of_another_agent_is_no_baseline(pinned: Path, capsys: Any) -> None:
    config, manifest = pinned / "report.json", pinned / "manifest.json"
    was = file_hash(config)
    config.write_text(config.read_text().replace(AGENT, "other"))
    manifest.write_text(manifest.read_text().replace(was, file_hash(config)))
    assert run_command(COMPARE) == 1
    assert f"only of {AGENT}" in capsys.readouterr().err


def test_the_group_of_a_case_is_kept(tmp_path: Path) -> None:
    plain = suite("a", ["own", "its"])
    own, its = plain.cases
    metadata = EvalMetadata(raw={"group": "of the file"})
    one = replace(plain, metadata=metadata, cases=(replace(own, extra={"group": 7}), its))
    rows = [result(one, id_, PASSED) for id_ in ("own", "its")]
    tell(EvidenceReporter(str(tmp_path / "p")), events([one], rows))
    found = cases_of(tmp_path / "p")
    assert [found[id_]["group"] for id_ in ("own", "its")] == ["7", "of the file"]


def test_two_packs_pair_the_cases_that_their_runs_did(tmp_path: Path) -> None:
    """An attempt without an answer is no trial there either; the pass rates stay as they are."""
    ids = ("good", "fell", "down", "rose", "twice")
    statuses = (PASSED, PASSED, PASSED, ERROR, PASSED), (PASSED, FAILED, ERROR, PASSED, FAILED)
    one = suite("a", ids)
    sides: list[dict[CaseKey, CaseResult]] = []
    for name, of in zip(("before", "now"), statuses, strict=True):
        rows = [result(one, id_, of_case) for id_, of_case in zip(ids, of, strict=True)]
        if name == "now":
            rows[-1] = replace(rows[-1], trials=4, passes=3)
        tell(EvidenceReporter(str(tmp_path / name)), events([one], rows))
        sides.append({row.key: row for row in rows})
    report = compare(read_side(tmp_path / "before"), read_side(tmp_path / "now"), reference={})
    before, now = sides
    whole = paired_results(before, now, [one], muted=())
    assert whole is not None
    assert (whole.cases, whole.verdicts) == (3, None), "`twice` has more trials now"
    assert report["paired"] == {**whole.document(), "text": [*whole.lines()]}
    assert report["metrics"]["pass_rate"]["candidate"] == 2 / 5


def test_an_agent_that_never_answered_makes_no_pair(tmp_path: Path) -> None:
    pack(tmp_path / "before", *((id_, PASSED, {}) for id_ in "abc"))
    pack(tmp_path / "now", *((id_, ERROR, {}) for id_ in "abc"))
    before, now = (read_side(tmp_path / name) for name in ("before", "now"))
    assert compare(before, now, reference={})["paired"] is None
