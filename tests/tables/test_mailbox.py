"""A table's mailbox gives out one thing at a time, in the order it came; what was put back comes first again."""

from __future__ import annotations

from kotatsu.store.contract import Persona
from kotatsu.tables.mail import Mail, PersonaChanged, PlayerReturned
from kotatsu.tables.mailbox import Mailbox


def taken(mailbox: Mailbox) -> Mail | None:
    """Take a letter and deal with it."""
    letter = mailbox.take()
    if letter is not None:
        mailbox.done()
    return letter


async def test_letters_are_taken_in_the_order_they_were_left() -> None:
    mailbox = Mailbox()
    filled = mailbox.filled()
    assert taken(mailbox) is None
    assert not filled.done()
    letters: list[Mail] = [PlayerReturned("a"), PersonaChanged("b", Persona())]
    for letter in letters:
        mailbox.put(letter)
    assert filled.done()
    assert [taken(mailbox), taken(mailbox), taken(mailbox)] == [*letters, None]


async def test_what_was_put_back_comes_before_what_came_meanwhile() -> None:
    mailbox = Mailbox()
    first, second, later = PlayerReturned("first"), PlayerReturned("second"), PlayerReturned("later")
    mailbox.put(later)
    mailbox.put_back([first, second])
    assert len(mailbox) == 3
    assert [taken(mailbox), taken(mailbox), taken(mailbox)] == [first, second, later]


async def test_nothing_is_given_out_while_something_is_dealt_with() -> None:
    mailbox = Mailbox()
    assert mailbox.begin()
    assert not mailbox.begin()
    mailbox.put(PlayerReturned("a"))
    filled = mailbox.filled()
    assert mailbox.take() is None
    assert not filled.done()
    mailbox.done()
    assert filled.done()
    assert mailbox.take() == PlayerReturned("a")
    assert mailbox.busy


async def test_what_lies_there_comes_before_what_could_begin_at_once() -> None:
    mailbox = Mailbox()
    mailbox.put(PlayerReturned("a"))
    assert not mailbox.begin()
    assert taken(mailbox) == PlayerReturned("a")
    assert mailbox.begin()
