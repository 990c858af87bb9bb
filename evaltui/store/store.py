"""What is known now, built from events and nothing else."""

from collections.abc import Mapping
from typing import assert_never, get_args

from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.errors import unread_files
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CallCompared,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    DetailLoaded,
    EvaluatorPrinted,
    Event,
    EvidenceWeighed,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsCameStale,
    ResultsLoaded,
    RunFinished,
    RunnerChanged,
    RunStarted,
    SpendingChanged,
    TextStreamed,
    ToolCalled,
    TrialFinished,
    TurnFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.mutes import with_mute
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.store.board import Board
from evaltui.store.changes import ChangeReaders, Changes
from evaltui.store.known_problems import KnownProblems
from evaltui.store.reach import Reach
from evaltui.store.run_view import RunView
from evaltui.store.standards import Standards

FEW = 100
"""So many cases that are queued are named one by one; where there are more, all is shown again."""
_LIVE = frozenset({CaseStarted, ToolCalled, TurnFinished, TextStreamed})


class Store:
    """The facts about suites, runs, verdicts, regressions and staleness."""

    def __init__(self, *, is_shown: bool = True) -> None:
        """Without a screen (`is_shown`) nobody asks what a case is doing at this moment."""
        if not is_shown:
            self.hears = frozenset(get_args(Event)) - _LIVE
        self.suites: tuple[Suite, ...] = ()
        self.outdated: frozenset[str] = frozenset()
        """Ids of the suites written for another description of their tool."""
        self.mutes: Mapping[str, str] = {}
        """Reasons by `suite::case`, of the settings and of the keyboard."""
        self.sampled: frozenset[str] = frozenset()
        """Names of the agents that may answer the same request otherwise the next time."""
        self.registry = ToolRegistry(configured=False)
        self.boards: dict[str, Board] = {}
        """By agent name, in the order in which they were first heard of."""
        self.comparisons: dict[str, tuple[Comparison, ...]] = {}
        self.problems = KnownProblems(self.boards)
        self.trigger: tuple[str, ...] = ()
        self.read_at = 0.0
        self._half_saved: frozenset[str] = frozenset()
        """Files that cannot be read since the last reading, or could not before it."""
        self._readers = ChangeReaders()

    def board(self, agent: str) -> Board:
        """The board of one agent, made when it is first asked for."""
        board = self.boards.get(agent)
        if board is None:
            board = self.boards[agent] = Board(agent)
            board.standards = Standards(mutes=self.mutes, is_sampled=agent in self.sampled)
            board.headline.settle(self.registry, self.suites)
            board.arrange(self.suites, self.outdated)
            board.counts.take_moved()  # a board that is new did not change
        return board

    def reader(self) -> Changes:
        """A new record of changes from now on; the caller drains it with `drain`."""
        return self._readers.add()

    def drain(self, reader: Changes) -> tuple[Changes, Changes]:
        """Swap a reader for an empty one. Returns (what changed, the new reader)."""
        return self._readers.drain(reader)

    def forget(self, reader: Changes) -> None:
        """Note no more changes for a reader."""
        self._readers.forget(reader)

    def handle(self, event: Event) -> None:
        """Take in one event; the only way anything here changes."""
        match event:
            # Those that come with every case stand first: they are tried in order.
            case CaseStarted(run_id, agent, key, _, at):
                board = self.board(agent)
                if (row := board.rows.get(key)) is not None:
                    board.activity.begin(row, at, run_id)
                self._note(agent, key)
            case TextStreamed(_, agent, key, text) | TurnFinished(_, agent, key, _, text):
                row = self.board(agent).rows.get(key)
                if row is not None:
                    row.live_text = text
                    self._note(agent, key)
            case ToolCalled(_, agent, key, call):
                row = self.board(agent).rows.get(key)
                if row is not None:
                    row.live_calls.append(call)
                    self._note(agent, key)
            case CaseFinished(run_id, result):
                board = self.board(result.agent)
                before = board.finish(result, run_id)
                if (run := board.runs.of(run_id)) is not None:
                    run.count(result, before)
                self._note(result.agent, result.key)
            case TrialFinished(run_id, result):
                board = self.board(result.agent)
                if (run := board.runs.of(run_id)) is not None:
                    run.count_trial(result)
                    self._readers.flag(run=True)
                board.faults.hear(result)
                self._note(result.agent)
            case CallCompared(result):
                self.board(result.agent).faults.hear(result)
                self._note(result.agent)
            case ProjectRead():
                self._read(event)
            case ProjectChecked(problems):
                self._readers.flag(problems=self.problems.of_project != problems)
                self.problems.of_project = problems
            case ResultsLoaded():
                self._load(event)
            case DetailLoaded(agent, result):
                self.board(agent).restore(result, None)
                self._note(agent, result.key)
            case CaseMuted(key, reason):
                self._mute(with_mute(self.mutes, key, reason))
            case WatchPaused() | WatchResumed() | RunnerChanged():
                self._readers.flag(run=True)
            case NothingChanged(files, is_aside):
                self.trigger = self.trigger if is_aside else files
                for agent, board in self.boards.items():
                    if is_aside or board.is_busy:
                        self._readers.tell_aside(agent, files)
                    else:
                        self._note(agent, *board.begin_save(files, self.registry))
                        board.headline.reach = Reach(len(board.rows))
                self._readers.flag(run=True)
            case SpendingChanged(agent):
                self.board(agent).spending = event
                if event.is_freed:
                    self.problems.free()
                self._readers.flag(run=True, problems=event.is_freed)
            case CasesStale(agent, cases, _, trigger, by_save):
                board = self.board(agent)
                self.trigger = trigger or self.trigger
                # One that affects nothing leaves the headline to what is being run, unless it puts
                # back what that runs for.
                is_idle = by_save is not None and not by_save and board.is_busy
                is_idle = is_idle and not board.headline.is_run_for(board.runs.last, trigger)
                is_settling = not by_save and not board.is_busy
                is_settling = is_settling and (
                    board.headline.is_settling(trigger, board.suites)
                    or board.headline.is_repair(
                        trigger, self._half_saved, self.registry, board.suites
                    )
                )
                if trigger and is_settling:
                    board.headline.settle(self.registry, board.suites)
                    self._readers.tell_aside(agent, trigger)
                elif trigger and is_idle:
                    self._note(agent, *board.withdraw_save(self.registry))
                    self._readers.tell_aside(agent, trigger)
                is_save = bool(trigger) and not (is_settling or is_idle)
                marked = board.take_save(event, self.registry) if is_save else board.mark_due(cases)
                self._note(agent, *marked)
                self._readers.flag(run=True)
            case ResultsCameStale(agent, cases):
                self._note(agent, *self.board(agent).mark_due(cases, is_more=True))
            case RunStarted():
                self._start(event)
            case RunFinished():
                self._finish(event)
            case BaselineCompared(_, agent, comparisons):
                self.comparisons[agent] = comparisons
                self._readers.flag(baselines=True)
            case EvidenceWeighed(agent):
                self._readers.flag(baselines=self.board(agent).affected != event.affected)
                self._note(agent, *self.board(agent).weigh(event))
            case BaselinePinned(agent, _, baselines):
                self._note(agent, *self.board(agent).compare_with(baselines))
                self._readers.flag(baselines=True)
            case EvaluatorPrinted():
                pass  # for the log
            case ProblemFound(problem):
                self.problems.others.append(problem)
                self._readers.flag(problems=True)
            case _:
                assert_never(event)

    def _read(self, event: ProjectRead) -> None:
        is_rearranged = len(self.suites) != len(event.suites) or any(
            before is not now for before, now in zip(self.suites, event.suites, strict=True)
        )
        is_registry_changed = self.registry is not event.registry
        self.suites, self.registry = event.suites, event.registry
        self.outdated = frozenset(event.outdated)
        self.sampled = frozenset(event.sampled)
        before, self.problems.of_project = self.problems.of_project, event.problems
        self._half_saved = unread_files(before) | unread_files(event.problems)
        self.trigger = event.changed or self.trigger
        self.read_at = event.at
        for agent, board in self.boards.items():
            if board.headline.save is None and not event.changed:
                board.headline.settle(event.registry, event.suites)
            self._note(agent, *board.arrange(event.suites, self.outdated))
            self._note(agent, *board.follow_sampling(agent in self.sampled))
        self._mute(event.mutes)
        self._readers.flag(rearranged=is_rearranged, registry=is_registry_changed, problems=True)

    def _mute(self, mutes: Mapping[str, str]) -> None:
        self.mutes = mutes
        for agent, board in self.boards.items():
            self._note(agent, *board.mute(mutes))

    def _load(self, event: ResultsLoaded) -> None:
        board = self.board(event.agent)
        if event.counts and not self.suites:
            self.suites = board.show_cached(event)
            self._note(event.agent, *board.rows)
            self._readers.flag(rearranged=True)
            return
        if board.is_cached:
            self._note(event.agent, *board.drop_cached(self.suites, self.outdated))
            self._readers.flag(rearranged=True)
        board.runs.number = max(board.runs.number, event.numbered)
        for index, result in enumerate(event.results):
            board.restore(result, event.strips[index] if event.strips else None)
        self._note(event.agent, *(result.key for result in event.results))

    def _start(self, event: RunStarted) -> None:
        board, run = self.board(event.agent), RunView.of(event, self.board(event.agent).rows)
        if board.begin_beside(run):
            self._readers.flag(run=True)
            return
        is_over = self.problems.begin_run()
        is_repeat = event.is_correction or (event.is_repeat and board.tells_of_save(event.cases))
        is_rest = is_repeat or (event.is_rest and board.headline.save is not None)
        is_of_save = is_rest or bool(event.trigger)
        if not run.is_command:  # which is of what it is about, whatever a save made due of that
            is_of_save = is_of_save or board.headline.is_answered_by(event.cases, board.rows)
        if not is_of_save:
            self.trigger, board.headline.reach = event.answers, None
        if board.headline.save is None or not is_of_save:
            self._note(event.agent, *board.begin_save(event.saved, self.registry))
        run.is_repeat = is_repeat
        board.begin_run(run, event.cases, is_rest=is_rest)
        if board.headline.save is not None and event.told:
            board.headline.save.reported_effects = event.told
        queued = [key for key in (*event.waiting, *event.cases) if key not in run.never_asked]
        for key in queued:
            if (row := board.rows.get(key)) is not None:
                board.activity.enqueue(row, run.run_id)
        if len(queued) <= FEW:
            self._note(event.agent, *queued)
        self._note(event.agent, *board.resume(event.resumed, event.before))
        self._readers.flag(run=True, problems=is_over, queue=len(queued) > FEW)

    def _finish(self, event: RunFinished) -> None:
        board = self.board(event.agent)
        self._note(event.agent, *board.end_run(event))
        self._note(event.agent, *board.activity.settle(board.runs.ids_on))
        if not board.runs.is_on:
            self.problems.end_run()
        self._readers.flag(run=True)

    def _note(self, agent: str, *keys: CaseKey) -> None:
        board = self.board(agent)
        suites = board.counts.take_moved()
        if board.faults.is_changed:
            board.faults.is_changed = False
            self._readers.flag(problems=True)
        if keys or suites:
            self._readers.note(agent, keys, suites)
