"""What each command to memory does, and what is said to it.

Nothing is changed here: a reply brings the work along, which is then done in one
transaction with the exchange. A command that turns out to mean something else, such as
"undo that" where memory changed nothing, gives no reply and goes on to the provider.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from custom_components.caesar.gateway.commands import Act

from .asked import Asked, Reply
from .correcting import correct, rename
from .forgetting import forget, forget_all, forget_told, undo
from .off_record import off_record, off_record_next
from .remembering import remember
from .telling import know, know_home, know_me, know_named

ACTS: Final[Mapping[Act, Callable[[Asked], Awaitable[Reply | None]]]] = {
    Act.REMEMBER: remember,
    Act.KNOW: know,
    Act.KNOW_NAMED: know_named,
    Act.KNOW_ME: know_me,
    Act.KNOW_HOME: know_home,
    Act.FORGET: forget,
    Act.FORGET_ALL: forget_all,
    Act.FORGET_TOLD: forget_told,
    Act.UNDO: undo,
    Act.CORRECT: correct,
    Act.RENAME: rename,
    Act.WRONG: correct,
    Act.OFF_RECORD: off_record,
    Act.OFF_RECORD_NEXT: off_record_next,
}
