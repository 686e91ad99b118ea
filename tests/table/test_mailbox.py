"""A table's mailbox keeps the order in which things came, and what was put back comes first again."""

from __future__ import annotations

from kotatsu.store.contract import Persona
from kotatsu.table.letters import Introduced, Letter, Returned
from kotatsu.table.mailbox import Mailbox


async def test_letters_are_taken_in_the_order_they_were_left() -> None:
    mailbox = Mailbox()
    filled = mailbox.filled()
    assert mailbox.take() is None
    assert not filled.done()
    letters: list[Letter] = [Returned("a"), Introduced("b", Persona())]
    for letter in letters:
        mailbox.put(letter)
    assert filled.done()
    assert [mailbox.take(), mailbox.take(), mailbox.take()] == [*letters, None]


async def test_what_was_put_back_comes_before_what_came_meanwhile() -> None:
    mailbox = Mailbox()
    first, second, later = Returned("first"), Returned("second"), Returned("later")
    mailbox.put(later)
    mailbox.put_back([first, second])
    assert len(mailbox) == 3
    assert [mailbox.take(), mailbox.take(), mailbox.take()] == [first, second, later]
