"""What of the exchanges can be found again, by words and by meaning.

Each exchange that a person may look up has a row, written in the exchange's own
transaction; the database itself takes the row away with the exchange. Commands to
memory have none, since their answers recite facts, and neither has what nobody said.
"""

from sqlalchemy import Connection, insert

from . import words
from .models import Event
from .schema import semantic_memory


def let_find(connection: Connection, exchange: Event) -> None:
    """Let an exchange be found from now on, where it is one that may be."""
    if exchange.payload.get("teaches") is False:
        return
    connection.execute(
        insert(semantic_memory).values(
            id=exchange.id, owner=exchange.owner, at=exchange.at
        )
    )
    words.add(connection, exchange.id, exchange.user_text, exchange.assistant_text)
