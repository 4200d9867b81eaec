"""Jobs that studies share: each module makes what the rule of its name says, by `make`, from files and settings."""
