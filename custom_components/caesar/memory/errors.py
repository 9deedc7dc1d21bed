"""What can go wrong in memory.

MemoryStoreError
├── DatabaseError
│   ├── DatabaseClosedError        used before it was opened or after it was closed
│   ├── DatabaseBusyError          another program holds a lock
│   ├── DatabaseReplacedError      the file is not the one that was opened
│   ├── NewerDatabaseError         written by a later version of CAESAR
│   ├── CorruptDatabaseError       SQLite cannot read the file
│   └── EventLoopError             called on the event loop: a bug in the caller
├── FactNotFoundError              no such fact in the caller's scope
├── SuggestionNotFoundError        no such open suggestion in the caller's scope
├── ExchangeNotFoundError          no such exchange in the caller's scope
├── MoveNotFoundError              no such move of a memory, or it is undone
├── ConflictError                  the fact has changed since the caller saw it
│   └── KeyTakenError              another fact of this owner has the key
├── InvalidFactError               key or value is empty, too long or malformed
│   └── InstructionError           the value tells a machine what to do
├── SecretError                    the value looks like a password, code or number
├── TemplateError                  a templates file is malformed
├── IndexUnavailableError          who keeps the vectors does not answer
├── UnusableVectorsError           an embedder's vectors cannot be compared
└── UnusableAnswerError            a model's answer cannot be read as facts
"""


class MemoryStoreError(Exception):
    """Base of all errors of memory."""


class DatabaseError(MemoryStoreError):
    """The database cannot be used."""


class DatabaseClosedError(DatabaseError):
    """The database is not open."""


class DatabaseBusyError(DatabaseError):
    """Another program holds a lock on the database."""


class DatabaseReplacedError(DatabaseError):
    """The file was deleted, replaced or overwritten since it was opened."""


class NewerDatabaseError(DatabaseError):
    """The database was written by a later version of CAESAR."""


class CorruptDatabaseError(DatabaseError):
    """SQLite cannot read the file."""


class EventLoopError(DatabaseError):
    """Database work was called on the event loop."""


class FactNotFoundError(MemoryStoreError):
    """No such fact in the caller's scope."""


class SuggestionNotFoundError(MemoryStoreError):
    """No such suggestion in the caller's scope, or one that is decided already."""


class ExchangeNotFoundError(MemoryStoreError):
    """No such exchange in the caller's scope."""


class MoveNotFoundError(MemoryStoreError):
    """No such move of a memory, or one that is undone already."""


class ConflictError(MemoryStoreError):
    """The fact has changed since the caller saw it.

    ``revision`` is the present one.
    """

    def __init__(self, message: str, revision: int) -> None:
        super().__init__(message)
        self.revision = revision


class KeyTakenError(ConflictError):
    """Another fact of the same owner has the key."""


class InvalidFactError(MemoryStoreError):
    """A key or value is empty, too long or malformed."""


class InstructionError(InvalidFactError):
    """A value tells a machine to open the house up, or to drop its rules."""


class SecretError(MemoryStoreError):
    """A value looks like a password, a code, or the number of a card or document."""


class TemplateError(MemoryStoreError):
    """A templates file is malformed; the message names the file and the line."""


class UnusableAnswerError(MemoryStoreError):
    """A model's answer cannot be read as facts."""


class IndexUnavailableError(MemoryStoreError):
    """Somebody else keeps the vectors and does not answer, or refuses."""


class UnusableVectorsError(MemoryStoreError):
    """Vectors that are uneven, empty, not finite, or without a direction."""
