"""A length of time, roughly, in words."""


def span_words(seconds: float) -> str:
    """In the largest unit of which it is at least two: `90 s`, `3 h`, `5 d`."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit}"
    return f"{max(0, round(seconds))} s"
