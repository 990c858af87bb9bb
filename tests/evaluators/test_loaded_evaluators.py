"""Whether two loadings of a project's evaluators differ: only then anything is judged again."""

from pathlib import Path

from evaltui.evaluators.loading import EvaluatorLoader
from tests.evaluators.loaded import evaluator, load, write

WELL = evaluator("return passed('well')")


def test_a_changed_file_makes_others_and_an_unchanged_one_the_same(tmp_path: Path) -> None:
    loader = EvaluatorLoader()
    write(tmp_path, "mine.py", WELL)
    first = load(tmp_path, "./mine.py", loader=loader)
    again = load(tmp_path, "./mine.py", loader=loader)
    assert first.is_like(again)
    write(tmp_path, "mine.py", evaluator("return failed('badly')"))
    other = load(tmp_path, "./mine.py", loader=loader)
    assert (len([*other.registry]), other.files) == (len([*first.registry]), first.files)
    assert not other.is_like(first)


def test_what_is_wrong_with_them_and_how_many_they_are_makes_others(tmp_path: Path) -> None:
    loader = EvaluatorLoader()
    write(tmp_path, "mine.py", WELL)
    good = load(tmp_path, "./mine.py", loader=loader)
    assert not load(tmp_path, loader=loader).is_like(good)
    write(tmp_path, "mine.py", WELL + evaluator("return passed('well')", "more"))
    assert not load(tmp_path, "./mine.py", loader=loader).is_like(good)
    good = load(tmp_path, "./mine.py", loader=loader)
    write(tmp_path, "mine.py", "def (")
    broken = load(tmp_path, "./mine.py", loader=loader)
    assert [*broken.registry] != [] and not broken.is_like(good)
