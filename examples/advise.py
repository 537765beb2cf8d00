"""Advice, its reasons and the chances of a position, in cells for an editor or a notebook."""

# %% A position is one line: the rules, the card, the dice and the rolls left.
from fivedice import advise, chances, parse_position, solve, why

solution = solve("crag")
position = parse_position("crag ones=2,high_straight=20 356 r1")

# %% All actions, best first: the value of each, and what it loses against the best.
advice = advise(solution, position)
print(advice)

# %% Why the best action is better than the one with the most points now.
most_points = max(position.offers(), key=lambda offer: offer.points).action
reason = why(solution, position, instead_of=most_points)
print(reason)

# %% How likely the final score is to be at least so many points.
distribution = chances(solution, position).distribution
for score in (100, 150, 200):
    print(f"at least {score}: {distribution.at_least(score):.1%}")
