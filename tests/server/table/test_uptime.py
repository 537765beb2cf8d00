"""Uptime counts exactly the time in which the service was up, and assumes that it is up from now on."""

from hypothesis import given
from hypothesis import strategies as st

from fivedice.server.table.uptime import ALWAYS, Uptime

SECONDS = st.integers(0, 60)
SPANS = st.lists(st.tuples(SECONDS, SECONDS).map(lambda span: (float(min(span)), float(max(span)))), max_size=6)


def test_all_time_counts_without_a_pause() -> None:
    assert ALWAYS.after(100.0, 60.0, now=130.0) == 160.0
    assert ALWAYS.after(100.0, 60.0, now=1_000.0) == 160.0


def test_a_pause_delays_the_end() -> None:
    uptime = Uptime.of([(0.0, 110.0), (500.0, 530.0)])
    assert uptime.after(100.0, 60.0, now=520.0) == 550.0  # 10 s before the pause, 50 s after it
    assert uptime.after(100.0, 10.0, now=520.0) == 110.0
    assert uptime.after(100.0, 40.0, now=600.0) == 530.0
    assert uptime.after(100.0, 60.0, now=600.0) == 620.0  # down since 530, assumed to be up from now on
    assert uptime.after(505.0, 60.0, now=520.0) == 565.0


def test_no_time_counts_before_the_first_heartbeat() -> None:
    assert Uptime().after(100.0, 60.0, now=7_000.0) == 7_060.0


def test_overlapping_spans_are_joined() -> None:
    assert Uptime.of([(5.0, 9.0), (1.0, 3.0), (2.0, 5.0), (11.0, 12.0)]).spans == ((1.0, 9.0), (11.0, 12.0))


@given(SPANS, SECONDS, st.integers(1, 60), SECONDS)
def test_after_equals_a_count_second_by_second(
    spans: list[tuple[float, float]], moment: int, seconds: int, now: int
) -> None:
    """A second counts if a span covers it, or if it lies in the future."""
    now = max(now, moment)
    up = [any(began <= second < until for began, until in spans) or second >= now for second in range(200)]
    ends = [second + 1 for second in range(moment, 200) if up[second]]
    assert Uptime.of(spans).after(float(moment), float(seconds), float(now)) == ends[seconds - 1]
