"""Pages of a finished run, and a Chromium without a screen to open them in."""

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from stored_index import stored_index

FLAGS = [
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
]


class Browser:
    """A Chromium that remembers what it asked for and what went wrong."""

    def __init__(self, profile: Path) -> None:
        programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
        missing = [name for name, path in programs.items() if path is None]
        assert not missing, f"{' and '.join(missing)} must be installed: apt-get install chromium chromium-driver"
        options = Options()
        options.binary_location = programs["chromium"]
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=Service(programs["chromedriver"]))
        self.driver.set_script_timeout(120)
        self.driver.get("about:blank")  # away from Chromium's own first page, which loads pages of its own

    def open(self, page: Path, width: int = 1280, height: int = 900) -> None:
        self.take_logs()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get(page.as_uri())

    def emulate(self, media: str = "", scheme: str = "light") -> None:
        """Paper in place of a screen, or a reader who prefers the dark; nothing scrolls slowly."""
        wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script; one that returns a promise is waited for."""
        return self.driver.execute_script(script, *arguments)

    def take_logs(self) -> tuple[list[str], list[str]]:
        """Errors on the console, and addresses asked for outside files and what a page holds, since the last call."""
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [
            event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"
        ]
        return errors, [url for url in requests if not url.startswith(("file:", "data:", "blob:"))]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


def pytest_addoption(parser: pytest.Parser) -> None:
    for option, folder in (("--results", "learnability_window/quick"), ("--trials", "ground_truth/miniature")):
        parser.addoption(option, default=f"results/{folder}", help="folder of a finished run with its pages")


def folder_with(request: pytest.FixtureRequest, option: str, files: Sequence[str], command: str) -> Path:
    folder = Path(request.config.getoption(option)).resolve()
    for name in files:
        assert (folder / name).is_file(), f"'{folder / name}' must be there. Run {command} first."
    return folder


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest) -> Path:
    """Folder of a run, with its index and the report in one file."""
    files = ("index.html", "report.html", "report.zip")
    return folder_with(request, "--results", files, "`make run` and `make report`")


@pytest.fixture(scope="session", params=["results", "trials"])
def index(request: pytest.FixtureRequest) -> Path:
    """The page to open first of each study."""
    command = "`make run`, and `snakemake --configfile config/ground_truth.yaml tests/ground_truth.yaml`,"
    return folder_with(request, f"--{request.param}", ["index.html"], command) / "index.html"


@pytest.fixture(scope="session")
def playable(request: pytest.FixtureRequest) -> Path:
    """A page with a chart to play with."""
    command = "`snakemake --configfile config/ground_truth.yaml tests/ground_truth.yaml`"
    return folder_with(request, "--trials", ["index.html"], command) / "index.html"


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page to open first of a stored study, from its stored tables and figures; it needs no run."""
    folder = tmp_path_factory.mktemp("stored")

    @cache
    def written(study: str) -> Path:
        page = folder / f"{study}.html"
        page.write_text(stored_index(study), encoding="utf-8")
        return page

    return written


@pytest.fixture(scope="session")
def unpacked(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report as a folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(results / "report.zip") as archive:
        archive.extractall(folder)
    return folder
