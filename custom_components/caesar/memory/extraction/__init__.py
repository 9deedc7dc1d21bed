"""Learning's pure part: from what a person said to the changes of their facts.

gate → request → (a generator) → answer → checks → operations; ``extract`` walks them.
"""
