"""What a case takes as a rule: halfway from what it took before to each new duration."""


def with_new(usual_ms: float, took_ms: float) -> float:
    """With one more duration; `usual_ms` is 0.0 before the first."""
    return (usual_ms + took_ms) / 2 if usual_ms else took_ms


def without_last(usual_ms: float, took_ms: float) -> float:
    """Before its last duration; 0.0 where there was none, as far as that shows."""
    return max(0.0, 2 * usual_ms - took_ms)
