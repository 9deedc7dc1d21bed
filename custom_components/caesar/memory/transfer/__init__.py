"""A memory as a file of JSON Lines, to be read by people and brought elsewhere.

``docs/export-format.md`` describes the lines. What a file says is data: it is checked
line by line, and gives nobody more than a person could type.
"""
