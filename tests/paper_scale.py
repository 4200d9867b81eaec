"""The configuration of the paper's scale, its readings with every option."""

from pathlib import Path

import yaml

from learnability.windows.readings import whole_readings

CONFIG = yaml.safe_load((Path(__file__).parents[1] / "config" / "config.yaml").read_text(encoding="utf-8"))
CONFIG["readings"] = whole_readings(CONFIG["readings"])
