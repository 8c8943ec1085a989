"""Deviations: of the means, and the three events of which one happens when a worse arm is pulled."""

from __future__ import annotations

from glbcheck.verify.writing import Evidence, claim, combine, decided, states

from .setting import REWARDS


@claim(
    "lem:hoeffding",
    "lem:hoeffding/eq1",
    math=r"\mathbb{P}(\bar X_{i, s} \ge \mu_i + a) \le e^{-2 s a^2}",
    hypotheses=(REWARDS, "a >= 0", "s >= 1"),
    control=("the exponent -4 s a^2", "4"),
    facts=("hoeffding",),
)
def mean_deviation(factor: str = "2") -> Evidence:
    """The mean of s rewards is a above its mean with probability at most exp(-2 s a^2), and likewise a below it.

    Hoeffding for the sum of the s rewards, with t = s a; for the other side the same for 1 - X, which is in [0, 1] too.
    """
    return decided(f"s >= 1, a >= 0 => -2*(s*a)**2/s <= -({factor})*s*a**2")


@claim(
    "lem:deviation",
    "lem:deviation/eq1",
    math=r"\mathbb{P}(\bar X_{i, s} \ge \mu_i + c_{t, s}) \le t^{-4}",
    hypotheses=(REWARDS, "t >= 1", "s >= 1"),
    control=("c^2 = log t/s", "1"),
    uses=("mean_deviation",),
)
def index_deviation(width: str = "2") -> Evidence:
    """The mean of s rewards is c_{t,s} above its mean with probability at most t^-4, and likewise below it.

    With a = c_{t,s} the exponent is -4 L, where L = log t.
    """
    return combine(
        decided(f"L >= 0, s >= 1 => -2*s*sqrt(({width})*L/s)**2 <= -4*L"), decided("t >= 1 => exp(-4*log(t)) == 1/t**4")
    )


states(
    "X > best - c, Y < mu + w, best >= mu + 2*w => X + c > Y + w",
    "lem:three-events",
    "lem:three-events/eq1",
    id="three_events",
    control=("2*w", "w"),
    why="X and Y are the means of the best arm and of arm i, c and w their widths: where none of the three events "
    "happens, the index of the best arm is the larger one.",
)

states(
    "L >= 0, M >= L, gap > 0, s > 0, s >= 8*M/gap**2 => 2*sqrt(2*L/s) <= gap",
    "lem:third-event",
    id="third_event",
    control=("8*M", "7*M"),
    why="L = log t and M = log n, and t <= n: mu_i + 2 c_{t,s} is then at most mu_*.",
)

states(
    "L > 0, gap > 0, s > 0, s < 8*L/gap**2 => 2*sqrt(2*L/s) > gap",
    "lem:third-event",
    id="third_event_happens_before",
    reading="repaired",
    control=("8*L", "9*L"),
    why="With L = log n: at t = n the third event does happen for fewer pulls, so 8 is the best factor of this lemma.",
)
