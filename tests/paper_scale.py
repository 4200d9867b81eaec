"""The configuration of the paper's scale, its readings with every option."""

from pathlib import Path

from learnability.core.yaml_files import load_yaml
from learnability.windows.readings import whole_readings

CONFIG = load_yaml((Path(__file__).parents[1] / "config" / "config.yaml").read_text(encoding="utf-8"))
CONFIG["readings"] = whole_readings(CONFIG["readings"])
