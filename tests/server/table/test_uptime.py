"""Uptime: time counts while the service is up, exactly, and is expected to go on from now."""

from hypothesis import given
from hypothesis import strategies as st

from fivedice.server.table.uptime import ALWAYS, Uptime

SECONDS = st.integers(0, 60)
SPANS = st.lists(st.tuples(SECONDS, SECONDS).map(lambda span: (float(min(span)), float(max(span)))), max_size=6)


def test_all_time_counts_where_there_was_no_pause() -> None:
    assert ALWAYS.after(100.0, 60.0, now=130.0) == 160.0
    assert ALWAYS.after(100.0, 60.0, now=1_000.0) == 160.0


def test_a_pause_is_added_to_what_is_left() -> None:
    uptime = Uptime.of([(0.0, 110.0), (500.0, 530.0)])
    assert uptime.after(100.0, 60.0, now=520.0) == 550.0  # 10 s before the pause, 50 s after it
    assert uptime.after(100.0, 10.0, now=520.0) == 110.0
    assert uptime.after(100.0, 40.0, now=600.0) == 530.0
    assert uptime.after(100.0, 60.0, now=600.0) == 620.0  # it is down since 530, and expected to be up from now on
    assert uptime.after(505.0, 60.0, now=520.0) == 565.0


def test_nothing_counts_before_the_first_sign_of_life() -> None:
    assert Uptime().after(100.0, 60.0, now=7_000.0) == 7_060.0


def test_spans_of_processes_that_served_together_are_one() -> None:
    assert Uptime.of([(5.0, 9.0), (1.0, 3.0), (2.0, 5.0), (11.0, 12.0)]).spans == ((1.0, 9.0), (11.0, 12.0))


@given(SPANS, SECONDS, st.integers(1, 60), SECONDS)
def test_it_is_after_as_many_seconds_as_were_up(
    spans: list[tuple[float, float]], moment: int, seconds: int, now: int
) -> None:
    """Counted second by second: those that a span covers, and those from now on if it is up now, or is to be."""
    now = max(now, moment)
    up = [any(began <= second < until for began, until in spans) or second >= now for second in range(200)]
    ends = [second + 1 for second in range(moment, 200) if up[second]]
    assert Uptime.of(spans).after(float(moment), float(seconds), float(now)) == ends[seconds - 1]
