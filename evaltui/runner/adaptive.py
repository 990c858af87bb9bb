"""How many concurrent requests an endpoint takes, learned from its refusals."""

_FIRST_HOLD_S = 5.0
_LONGEST_HOLD_S = 60.0
_SHORTEST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 60.0
"""Rates are told by the minute: after one there is room again."""


class AdaptiveLimit:
    """Between 1 and `most` requests at once; starts at `most`, learns from each refusal (429).

    A refusal says that what is still out there was about what the endpoint takes, so the limit
    falls to that number: a burst of refusals ends exactly where the endpoint began to refuse.
    Below the lowest refused level it grows by one a round; to try that level again it waits for
    a hold, which doubles with every failed try. When nothing at all gets through, it is a rate
    that was exceeded, not a number at once: everything pauses and starts again from one. A pause
    that the endpoint does not tell is learned: each refusal doubles it, each answer halves it.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.resumes_at = 0.0
        """Nothing may start before this moment."""
        self._refused = float("inf")
        """The lowest number at once that was refused, or what to stay below for now."""
        self._hold_until = 0.0
        self._hold_s = _FIRST_HOLD_S
        self._step = 1.0
        self._is_trying = False
        self._pause_s = 0.0
        """Between one answer and the next request, where no number at once is small enough."""

    def refused(
        self, still_in_flight: int, now: float, delay_s: float, *, is_delay_given: bool = True
    ) -> None:
        """A request was refused while `still_in_flight` others are out.

        `is_delay_given`: whether the endpoint itself asked to wait for `delay_s`.
        """
        if still_in_flight == 0:
            self.limit = 1.0
            self._refused = float("inf")
            if not is_delay_given:
                delay_s = self._pause_s = min(_LONGEST_PAUSE_S, max(delay_s, self._pause_s * 2))
            self.resumes_at = max(self.resumes_at, now + delay_s)
            return
        if still_in_flight >= int(self.limit):
            return
        if self._is_trying:
            self._hold_s = min(_LONGEST_HOLD_S, self._hold_s * 2)
        self._is_trying = False
        self._step = 1.0
        self.limit = float(still_in_flight)
        self._refused = self.limit + 1
        self._hold_until = now + self._hold_s

    def answered(self, in_flight: int, now: float) -> None:
        """A request was answered; `in_flight` counts it. Grows only when the limit was in use."""
        if self._pause_s:
            self._pause_s = self._pause_s / 2 if self._pause_s >= 2 * _SHORTEST_PAUSE_S else 0.0
            self.resumes_at = now + self._pause_s
            return
        if self.limit >= self.most or in_flight < int(self.limit):
            return
        if self.limit + 1 >= self._refused:
            if now < self._hold_until:
                return
            if self._is_trying:  # the last try got through: go on in longer steps
                self._hold_s = _FIRST_HOLD_S
                self._step *= 2
            self._is_trying = True
            self._refused = self.limit + 1 + self._step
            self._hold_until = now + self._hold_s / 4
        self.limit = min(float(self.most), self.limit + 1 / self.limit)
