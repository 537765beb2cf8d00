"""Whatever members and organisers do, a club has no two members of one name, and gives no number again."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from fivedice.tournament.club import HandedOver, Parted, Scheduled, found, join
from fivedice.tournament.settings import Settings
from tests.amount import amount
from tests.any_log import AnyLog

NAMES = st.sampled_from(["Ann", "Ben", "Cleo", "Player 1"])
MEMBERS = st.integers(1, 6)


class AnyClub(AnyLog):
    """People join, change their names and leave, and the organiser plans tournaments and hands over."""

    kind = "club"

    @initialize()
    def found(self) -> None:
        self.begin(found("c", "Thursday", "key", 0.0))

    @rule(name=NAMES)
    def come(self, name: str) -> None:
        is_free, number = name not in self.state.members.values(), self.state.num_joined + 1
        assert self.append(join(self.state, None, name, 1.0)) == is_free
        assert (self.state.members.get(number) == name) == is_free

    @rule(member=MEMBERS, name=NAMES)
    def take_another_name(self, member: int, name: str) -> None:
        if member in self.state.members:
            others = [one for number, one in self.state.members.items() if number != member]
            assert self.append(join(self.state, member, name, 1.0)) == (name not in others)

    @rule(member=MEMBERS)
    def leave(self, member: int) -> None:
        was_in = member in self.state.members
        assert self.append(Parted(at=1.0, member=member)) == was_in
        assert member not in self.state.members

    @rule(key=st.sampled_from(["other", "third"]))
    def hand_over(self, key: str) -> None:
        assert self.append(HandedOver(at=1.0, key=key))
        assert self.state.key == key

    @rule(starts=st.sampled_from([1.0, 2.0]))
    def plan(self, starts: float) -> None:
        planned = Settings(name="Evening", format="evening", rules=["yahtzee"], starts=starts)
        assert self.append(Scheduled(at=1.0, tournament=f"t{len(self.log)}", settings=planned))
        assert self.state.calendar[-1].starts == starts

    @invariant()
    def no_number_is_given_again(self) -> None:
        assert self.state.version == len(self.log)
        assert max(self.state.members, default=0) <= self.state.num_joined
        assert len({*self.state.members.values()}) == len(self.state.members)


TestAnyClub = AnyClub.TestCase
TestAnyClub.settings = settings(max_examples=amount(15, full=150), stateful_step_count=30)
