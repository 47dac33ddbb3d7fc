"""A round of dominoes, as all four titles play it: `position`, `play`, `view`, `words`, `bot`.

A title hands in a `position.Game`: a few numbers, and pure functions for what its own rules page says.
"""
