"""An entry of `evaluators` is added to settings, and nothing else of them changes."""

import pytest

from evaltui.settings.named_evaluator import with_evaluator

NEW = "./evaluators/new.py"
TEXTS = [
    ("", 'evaluators = ["./evaluators/new.py"]\n'),
    ('# mine\nagent = "a"', '# mine\nagent = "a"\nevaluators = ["./evaluators/new.py"]\n'),
    (
        'agent = "a"  # b\n\n[agents.a]\ntype = "http"\n',
        'agent = "a"  # b\n\nevaluators = ["./evaluators/new.py"]\n\n[agents.a]\ntype = "http"\n',
    ),
    (
        "trials = 2\n\n# [watch]\n# poll = true\n",
        'trials = 2\n\nevaluators = ["./evaluators/new.py"]\n\n# [watch]\n# poll = true\n',
    ),
    ("a = [\n  [1],\n]\n", 'evaluators = ["./evaluators/new.py"]\na = [\n  [1],\n]\n'),
    ("evaluators = []\n", 'evaluators = ["./evaluators/new.py"]\n'),
    (
        'evals = ["x"]\nevaluators = ["./[a].py" ]  # c\n[judge]\nvotes = 3',
        'evals = ["x"]\nevaluators = ["./[a].py", "./evaluators/new.py" ]  # c\n[judge]\nvotes = 3',
    ),
    (
        "evaluators = [\n    'a',\n    'b',\n]\n",
        "evaluators = [\n    'a',\n    'b',\n    \"./evaluators/new.py\",\n]\n",
    ),
    (
        'evaluators = [\n  "a"\n]\n',
        'evaluators = [\n  "a",\n  "./evaluators/new.py"\n]\n',
    ),
    ('evaluators = ["./evaluators/new.py"]\n', 'evaluators = ["./evaluators/new.py"]\n'),
    (
        '[[evaluators]]\ncommand = ["x"]\n\n[judge]\nvotes = 3',
        '[[evaluators]]\ncommand = ["x"]\n\n[judge]\nvotes = 3\n\n'
        '[[evaluators]]\npath = "./evaluators/new.py"\n',
    ),
    (
        '[[evaluators]]\npath = "./evaluators/new.py"\n',
        '[[evaluators]]\npath = "./evaluators/new.py"\n',
    ),
    (
        'evaluators = [{command = ["x"]}]\n',
        'evaluators = [{command = ["x"]}, "./evaluators/new.py"]\n',
    ),
    ("evaluators = 3\n", None),
    ("evaluators = [\n", None),
    ('evaluators = ["a"  # ]\n]\n', None),
]


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_all_else_stays_as_it_is(before: str, after: str | None) -> None:
    assert with_evaluator(before, NEW) == after
