"""How well CAESAR learns, measured on labelled exchanges over its own pipeline.

Nothing here is shipped. Each exchange gets a memory file of its own and passes through
the product as it is: gate, request, provider, parsing, checks, database.
"""
