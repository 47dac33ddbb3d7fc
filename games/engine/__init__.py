"""The pure part of playing: no database, clock, network or source of randomness lives below this folder."""
