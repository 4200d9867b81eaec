"""Settings of Sec. 14 and 15: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_increasing, check_reservoir, check_scales


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    units = own["reservoir"]["units"]
    check_reservoir(f"{key}.reservoir", own["reservoir"], config, units, "spectral_radius", "input_scale")
    check_scales(
        key, own, "radii", "capacity.input_scales", "narma.input_scale", "products.radius", "products.bias_scale"
    )
    check_scales(key, own, "inverted.radii", "washouts.radius", "suffixes.radii", "suffixes.input_scale")
    capacity, narma, products, suffixes = (own[name] for name in ("capacity", "narma", "products", "suffixes"))
    most = capacity["steps"] - 4
    require(capacity["lags"] <= most, f"{key}.capacity.lags", f"at most steps - 4 ({most})", capacity["lags"])
    check_increasing(f"{key}.capacity.input_scales", capacity["input_scales"])
    for name, part in {"narma": narma, "products": products}.items():
        requirement = f"below the steps of a series ({part['steps']})"
        require(part["washout"] < part["steps"], f"{key}.{name}.washout", requirement, part["washout"])
    washouts = own["washouts"]["steps"]
    check_increasing(f"{key}.washouts.steps", washouts)
    requirement = f"below narma.steps ({narma['steps']})"
    require(washouts[-1] < narma["steps"], f"{key}.washouts.steps", requirement, washouts)
    requirement = f"below the steps of a sequence ({suffixes['steps']})"
    require(suffixes["longest"] < suffixes["steps"], f"{key}.suffixes.longest", requirement, suffixes["longest"])
    for name, radii in {"radii": own["radii"], "suffixes.radii": suffixes["radii"]}.items():
        check_increasing(f"{key}.{name}", radii)
