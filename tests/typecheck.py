"""The runtime type checker of the tests: an int is welcome where a float is asked for."""

from beartype import BeartypeConf, beartype

typechecked = beartype(conf=BeartypeConf(is_pep484_tower=True))
