"""What the benchmarks share: a household, a house to live in, tokens and tables."""
