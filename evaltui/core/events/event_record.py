"""What all events have in common."""

from msgspec import Struct


class EventRecord(Struct, frozen=True, gc=False, tag=True, tag_field="event"):
    """In JSON an event names its class first: `{"event":"RunStarted", …}`."""
