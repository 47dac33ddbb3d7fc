"""`make bench`: how fast moves are taken and rounds are played, beside what the database and the bars allow.

docs/performance.md says what the columns mean.
"""
