"""What the present speaker has said so far, in a conversation with any agent."""

from homeassistant.components.conversation import UserContent

from .chat_log_hook import running_log
from .memory.models import Owner
from .speaker import SpeakerChanges


def own_words(speakers: SpeakerChanges, owner: Owner) -> tuple[str, ...]:
    """Return what a speaker has said in the running conversation, the newest first.

    Empty where there is none, as with an MCP client. Asked for on each turn, it notices
    when another person goes on in the conversation: what was said before is not theirs.
    """
    log = running_log()
    if log is None:
        return ()
    said = [
        (index, content.content)
        for index, content in enumerate(log.content)
        if isinstance(content, UserContent)
    ]
    if not said:
        return ()
    newest, _ = said[-1]
    since = speakers.since(log.conversation_id, owner, newest)
    return tuple(text for index, text in reversed(said) if index >= since)
