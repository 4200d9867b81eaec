"""Jobs of the study: each module makes what the rule of its name says, by `make`, from files and settings."""
