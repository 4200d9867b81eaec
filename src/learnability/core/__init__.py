"""What every other room stands on: errors, tables on disk, random streams, compiled code, digests."""
