"""Embedders that need nobody else; those behind a server are the gateway's."""
