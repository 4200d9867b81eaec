from importlib.metadata import PackageNotFoundError

from learnability.core import provenance as module


def test_an_environment_without_a_package_has_no_version_of_it(monkeypatch):
    whole = module.provenance()["versions"]

    def version(package):
        if package == "torch":
            raise PackageNotFoundError(package)
        return whole[package]

    monkeypatch.setattr(module, "version", version)
    versions = module.provenance()["versions"]
    assert versions == {package: number for package, number in whole.items() if package != "torch"}
    assert whole.keys() - versions.keys() == {"torch"}
