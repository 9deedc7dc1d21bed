"""The connection between an open panel and Home Assistant, which a test can disturb."""

import re

from playwright.sync_api import WebSocketRoute

from scripts.house.panel import Panel


class Wire:
    """Takes a panel's websocket over, and opens the panel anew on it."""

    def __init__(self, panel: Panel) -> None:
        self._is_cut = False
        self._is_slow = False
        self._sockets: list[WebSocketRoute] = []
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        panel.page.route_web_socket(re.compile("/api/websocket"), self._connect)
        panel.open()

    def cut(self) -> None:
        """End the connection and let no other be made."""
        self._is_cut = True
        self._sockets[-1].close()

    def mend(self) -> None:
        """Let a connection be made again."""
        self._is_cut = False

    def hold(self) -> None:
        """Keep everything back that Home Assistant answers from now on."""
        self._is_slow = True

    def release(self) -> None:
        """Hand over what was kept back, and everything that comes."""
        self._is_slow = False
        while self._held:
            socket, message = self._held.pop(0)
            socket.send(message)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._is_cut:
            socket.close()
            return
        self._sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: self._hear(socket, message))

    def _hear(self, socket: WebSocketRoute, message: str | bytes) -> None:
        if self._is_slow:
            self._held.append((socket, message))
        else:
            socket.send(message)
