"""Names of runs are random UUIDs."""

from uuid import RFC_4122, UUID

from evaltui.core.run_id import new_run_id


def test_it_is_a_random_uuid_and_never_the_same() -> None:
    found = [new_run_id() for _ in range(64)]
    assert len({*found}) == 64
    for text in found:
        name = UUID(text)
        assert str(name) == text
        assert (name.version, name.variant) == (4, RFC_4122)
    assert len({text[14:16] for text in found}) > 1
