"""Foundations of all other rooms: errors, tables on disk, random streams, compiled code, digests."""
