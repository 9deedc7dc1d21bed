"""A real Home Assistant process with CAESAR in it, for the demo, development and tests.

Nothing here is shipped. Only what a user has is used: the configuration folder, the
command line, HTTP and websocket.
"""
