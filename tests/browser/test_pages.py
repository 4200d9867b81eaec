"""Pages in a browser: images load, tables sort, nothing is asked of the network."""

import json
import re
from base64 import b64decode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from stored_index import STUDIES, names_of, played_in

from .conftest import Browser

PHONE = 390
ALL_LOADED = """
for (const each of document.querySelectorAll("details")) each.open = true
return Promise.all([...document.querySelectorAll("img:not([data-like])")].map(async image => {
  image.loading = "eager"
  await image.decode()
  return [image.alt, image.naturalWidth]
}))"""
COLUMN = "return [...arguments[0].tBodies[0].rows].map(row => row.cells[arguments[1]].textContent)"
# React draws after a while; a report's image stands in its content, beside the navigation with its logo.
SHOW = """
app.setView({content: arguments[0], contentPath: arguments[1].data_uri, resultPath: arguments[2]})
return new Promise(resolve => {
  const look = () => {
    const shown = document.querySelector(arguments[0] === "img" ? "#app .p-3 > img" : "#app iframe")
    const isThere = shown && shown.getAttribute("src") === arguments[1].data_uri && shown.complete !== false
    isThere ? resolve(shown.naturalWidth) : setTimeout(look, 20)
  }
  look()
})"""


OPEN_ALL = 'for (const each of document.querySelectorAll("details")) each.open = true'
# Of each text that is seen, the contrast to what is behind it, by WCAG's relative luminance; without pictures and, as
# there, what is disabled.
CONTRASTS = """
const channels = colour => (colour.match(/[\\d.]+/g) ?? []).map(Number)
const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
const behind = element => {
  for (let each = element; each; each = each.parentElement) {
    const colour = channels(getComputedStyle(each).backgroundColor)
    if (colour.length === 3 || colour[3] > 0.5) return colour
  }
  return [255, 255, 255]
}
const found = []
for (const element of document.querySelectorAll("main *, nav *")) {
  const texts = [...element.childNodes].filter(node => node.nodeType === 3 && node.textContent.trim())
  if (!texts.length || !element.checkVisibility() || element.closest("script, option, .disabled")) continue
  const style = getComputedStyle(element)
  const ink = channels(element instanceof SVGElement ? style.fill : style.color)
  const [low, high] = [luminance(ink), luminance(behind(element))].sort((a, b) => a - b)
  found.push([(high + 0.05) / (low + 0.05), element.tagName, element.textContent.trim().slice(0, 40)])
}
return found.sort((a, b) => a[0] - b[0])"""


@pytest.fixture(autouse=True)
def nothing_goes_wrong_or_out(browser: Browser):
    browser.emulate()
    yield
    browser.emulate()
    assert browser.take_logs() == ([], [])


def pages(results: Path) -> list[Path]:
    """The index, scorecards and all tables."""
    return [path for path in results.rglob("*.html") if path.name != "report.html"]


@pytest.fixture
def reading(results: Path) -> str:
    """Reading of the run, the first by name."""
    return sorted(results.glob("*/scorecard.html"))[0].parent.name


@pytest.fixture(params=["report.html", "report.zip"])
def report(request: pytest.FixtureRequest, results: Path, unpacked: Path) -> Path:
    return results / "report.html" if request.param == "report.html" else unpacked / "report" / "report.html"


def test_the_console_and_the_network_are_watched(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<!doctype html><img src="http://127.0.0.1:9/x.png"><script>missing()</script>')
    browser.open(page)
    errors, outside = browser.take_logs()
    assert any("missing is not defined" in error for error in errors)
    assert outside == ["http://127.0.0.1:9/x.png"]


def test_every_figure_is_in_the_index_with_words_for_who_cannot_see_it(
    browser: Browser, results: Path, reading: str
) -> None:
    browser.open(results / "index.html")
    images = browser.run(ALL_LOADED)
    files = {path.read_bytes() for path in results.rglob("*.png")}
    assert len(images) == len(files)
    assert all(width > 0 for _, width in images)
    assert len({alt for alt, _ in images}) == len(images)
    assert f"Figure 2. How far a gradient reaches with N sequences: {reading.replace('_', ' ')}" in [
        alt for alt, _ in images
    ]


def test_questions_come_first_with_the_pictures_that_answer_them(browser: Browser, results: Path) -> None:
    browser.open(results / "index.html")
    count = len(json.loads((results / "findings.json").read_text(encoding="utf-8"))["questions"])
    script = 'return [...document.querySelectorAll(".question img")].map(image => [image.naturalWidth, image.alt])'
    pictures = browser.run(script)
    assert len(pictures) == count > 0 and all(width > 0 and alt for width, alt in pictures)
    first, scorecards = (browser.driver.find_element(By.ID, name) for name in ("question-1", "all-scorecards"))
    assert first.location["y"] < scorecards.location["y"]


def test_verdicts_are_drawn_filtered_and_lead_to_figures(browser: Browser, results: Path) -> None:
    browser.open(results / "index.html")
    marks = 'return document.querySelectorAll("#verdicts path[aria-roledescription=point]").length'
    every = WebDriverWait(browser.driver, 20).until(lambda _: browser.run(marks))
    names = browser.run('return [...document.querySelectorAll("#menus select")].map(each => each.name)')
    assert {"only_reading", "only_group", "only_architecture", "only_verdict", "only_class"} == set(names)
    (menu,) = [
        select
        for select in browser.driver.find_elements(By.CSS_SELECTOR, "#menus select")
        if "verdict" in select.get_attribute("name")
    ]
    options = [option.text for option in menu.find_elements(By.TAG_NAME, "option")]
    assert options[0] == "any" and len(options) > 2
    menu.send_keys(options[1])
    WebDriverWait(browser.driver, 20).until(lambda _: 0 < browser.run(marks) < every)
    click = "dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    browser.run(f'document.querySelector("#verdicts path[aria-roledescription=point]").{click}')
    WebDriverWait(browser.driver, 20).until(lambda driver: "#" in driver.current_url)


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_no_page_is_wider_than_the_screen(browser: Browser, results: Path, width: int) -> None:
    for page in pages(results):
        browser.open(page, width)
        browser.run('for (const each of document.querySelectorAll("details")) each.open = true')
        assert browser.run("return document.documentElement.scrollWidth") <= width, page


def test_headings_nest_and_names_are_unique(browser: Browser, results: Path) -> None:
    for page in pages(results):
        browser.open(page)
        levels = browser.run('return [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(each => +each.tagName[1])')
        assert levels[0] == 1 and levels.count(1) == 1, page
        assert all(next_ <= level + 1 for level, next_ in pairwise(levels)), page
        names = browser.run('return [...document.querySelectorAll("[id]")].map(each => each.id)')
        assert len(names) == len(set(names)), page
        to = browser.run("""return [...document.querySelectorAll('a[href^="#"]')].map(each => each.hash.slice(1))""")
        assert set(to) <= set(names), page


def test_the_index_goes_by_keys(browser: Browser, results: Path) -> None:
    browser.open(results / "index.html", PHONE)
    assert not browser.run('return document.querySelector("nav details").open')  # room for the results
    first = browser.driver.switch_to.active_element
    first.send_keys(Keys.TAB)
    skip = browser.driver.switch_to.active_element
    assert skip.text == "Skip to the results"
    skip.send_keys(Keys.ENTER)
    assert browser.driver.current_url.endswith("#main")


def table_of(browser: Browser, least: int):
    """A table of numbers that DataTables has made its own, with so many rows at least; what folds it is open."""
    browser.run(OPEN_ALL)
    tables = browser.driver.find_elements(By.CSS_SELECTOR, "details table.sortable:has(th.number)")
    table = next(table for table in tables if len(browser.run(COLUMN, table, 0)) >= least)
    browser.run("arguments[0].scrollIntoView()", table)
    wait(browser, lambda: "dataTable" in table.get_attribute("class"))
    return table, table.find_element(By.XPATH, "./ancestor::div[contains(@class, 'dt-container')]")


def wait(browser: Browser, condition) -> None:
    WebDriverWait(browser.driver, 60).until(lambda _: condition())


def test_tables_of_the_index_filter_and_sort_by_keys(browser: Browser, index: Path) -> None:
    browser.open(index)
    table, box = table_of(browser, 3)
    search = box.find_element(By.CSS_SELECTOR, "input[type=search]")
    assert search.get_attribute("aria-label").startswith("Search ")
    text = browser.run(COLUMN, table, 0)
    search.send_keys(text[0])
    wait(browser, lambda: all(text[0] in row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")))
    search.clear()
    search.send_keys("no row has this")
    wait(browser, lambda: table.find_element(By.CSS_SELECTOR, "tbody").text == "No matching records found")
    search.clear()
    search.send_keys(Keys.ENTER)
    wait(browser, lambda: browser.run(COLUMN, table, 0) == text)
    headings = table.find_elements(By.CSS_SELECTOR, "thead th")
    column = max(range(len(headings)), key=lambda place: len(set(browser.run(COLUMN, table, place))))
    for direction in ("ascending", "descending"):
        browser.run("(arguments[0].querySelector('[tabindex]') ?? arguments[0]).focus()", headings[column])
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        wait(browser, lambda to=direction: headings[column].get_attribute("aria-sort") == to)
    assert browser.run(COLUMN, table, column) != text


def test_numbers_of_the_index_sort_as_numbers_and_long_tables_have_pages(browser: Browser, results: Path) -> None:
    browser.open(results / "index.html")
    table, box = table_of(browser, 26)
    assert len(browser.run(COLUMN, table, 0)) == 25
    browser.run("dispatchEvent(new Event('beforeprint'))")
    rows = len(browser.run(COLUMN, table, 0))
    assert rows > 25  # on paper all
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert len(browser.run(COLUMN, table, 0)) == 25
    box.find_element(By.CSS_SELECTOR, ".dt-paging button.next").click()
    assert 0 < len(browser.run(COLUMN, table, 0)) <= 25
    box.find_element(By.XPATH, ".//select/option[. = 'All']").click()
    numeric = browser.run(
        'return [...arguments[0].tHead.rows[0].cells].findIndex(each => each.matches(".number"))', table
    )
    table.find_elements(By.CSS_SELECTOR, "thead th")[numeric].click()

    def is_sorted() -> bool:
        values = [float(cell.split()[0]) for cell in browser.run(COLUMN, table, numeric) if cell not in ("", "nan")]
        return values == sorted(values) and len(values) > 25

    wait(browser, is_sorted)  # a table is drawn a moment after the click


@pytest.mark.parametrize("key", ["click", Keys.ENTER])
def test_a_figure_opens_large_with_its_caption(browser: Browser, index: Path, key: str) -> None:
    browser.open(index)
    button = browser.driver.find_element(By.CSS_SELECTOR, "button.zoom")
    small = button.find_element(By.TAG_NAME, "img")
    browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
    button.click() if key == "click" else button.send_keys(key)
    dialog = browser.driver.find_element(By.ID, "zoom")
    assert dialog.is_displayed() and dialog.get_attribute("aria-label") == small.get_attribute("alt")
    large = dialog.find_element(By.TAG_NAME, "img")
    assert large.get_attribute("src") == small.get_attribute("src") and large.size["width"] > small.size["width"]
    assert dialog.find_element(By.CSS_SELECTOR, ".caption").text
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not dialog.is_displayed()
    assert browser.driver.switch_to.active_element == button


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_by_day_and_by_night(browser: Browser, index: Path, scheme: str) -> None:
    browser.emulate(scheme=scheme)
    browser.open(index)
    table_of(browser, 3)
    if browser.run('return document.getElementById("verdicts") !== null'):
        wait(browser, lambda: browser.run('return document.querySelectorAll("#verdicts text").length > 0'))
    low = [contrast for contrast in browser.run(CONTRASTS) if contrast[0] < 4.5]
    assert not low, low[:5]


def test_paper_holds_the_questions_with_their_numbers_and_what_is_open(browser: Browser, index: Path) -> None:
    browser.open(index, width=800)
    browser.emulate(media="print")
    hidden = """return [...document.querySelectorAll(arguments[0])]
        .filter(each => !each.checkVisibility({contentVisibilityAuto: true}) || !each.getBoundingClientRect().height)
        .map(each => each.outerHTML.slice(0, 80))"""
    # folds open a moment after the page learns that it is printed
    wait(browser, lambda: browser.run(hidden, ".question details > *:not(summary)") == [])
    (*_, fold) = browser.driver.find_elements(By.CSS_SELECTOR, ".on-screen details:has(table)")
    table = fold.find_element(By.CSS_SELECTOR, "table")
    assert not table.is_displayed()
    browser.run("arguments[0].open = true", fold)
    wait(browser, table.is_displayed)
    assert browser.run('return [...document.querySelectorAll("nav, .skip")].every(each => !each.checkVisibility())')
    overflow = 'return [...document.querySelectorAll(".scroll")].map(each => getComputedStyle(each).overflowX)'
    assert set(browser.run(overflow)) == {"visible"}
    assert browser.run("return document.documentElement.scrollWidth") <= 800


LINES = """return [...arguments[0].querySelectorAll("svg path")]
    .map(each => each.getAttribute("d") + each.getAttribute("transform")).join(" ")"""


def pages_of_pdf(browser: Browser) -> int:
    """Pages of paper that the page takes, of A4."""
    paper = {"paperWidth": 8.27, "paperHeight": 11.69}
    printed = b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", paper)["data"])
    return max(map(int, re.findall(rb"/Count (\d+)", printed)))


MOST_PAGES = 30


@pytest.mark.parametrize("study", STUDIES)
def test_a_stored_study_is_short_enough_to_be_printed(
    browser: Browser, stored: Callable[[str], Path], study: str
) -> None:
    browser.open(stored(study))
    wait(browser, lambda: browser.run("return [...document.querySelectorAll('.chart')].every(each => each.innerHTML)"))
    assert 2 < pages_of_pdf(browser) < MOST_PAGES


@pytest.mark.parametrize("study", [study for study in STUDIES if played_in(study)])
def test_every_chart_of_a_stored_study_follows_the_keys(
    browser: Browser, stored: Callable[[str], Path], study: str
) -> None:
    """Arrow keys move each slider and menu of it, and it is drawn again."""
    browser.open(stored(study), PHONE)
    charts = browser.driver.find_elements(By.CSS_SELECTOR, ".play")
    assert len(charts) == len(played_in(study))
    for chart in charts:
        wait(browser, lambda chart=chart: chart.find_elements(By.CSS_SELECTOR, "svg"))
        for control in chart.find_elements(By.CSS_SELECTOR, "input[type=range], select"):
            drawn, at_end = browser.run(LINES, chart), control.get_attribute("value") == control.get_attribute("max")
            browser.run("arguments[0].focus()", control)
            is_slider = control.tag_name == "input"
            key = Keys.ARROW_LEFT if at_end else Keys.ARROW_RIGHT if is_slider else Keys.ARROW_DOWN
            browser.driver.switch_to.active_element.send_keys(key)
            wait(browser, lambda chart=chart, drawn=drawn: browser.run(LINES, chart) != drawn)
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE


def test_a_point_names_its_cell(browser: Browser, stored: Callable[[str], Path]) -> None:
    browser.open(stored("comparison"))
    (chart, *_) = browser.driver.find_elements(By.CSS_SELECTOR, ".play")
    point = "#play-question-1 path[aria-roledescription=point]"
    wait(browser, lambda: chart.find_elements(By.CSS_SELECTOR, point))
    browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", chart)
    ActionChains(browser.driver).move_to_element(chart.find_element(By.CSS_SELECTOR, point)).perform()
    wait(browser, lambda: browser.driver.find_elements(By.CSS_SELECTOR, "#vg-tooltip-element.visible"))
    assert browser.driver.find_element(By.ID, "vg-tooltip-element").text in names_of("comparison")[0].values()


def test_a_csv_opens_from_the_disk(browser: Browser, index: Path) -> None:
    """Links lead from all tables of the page to files that are there."""
    browser.open(index)
    links = browser.run('return [...document.querySelectorAll("a[download]")].map(each => each.href)')
    tables = browser.run('return document.querySelectorAll("table.sortable").length')
    assert len(links) == tables > 0
    assert all(Path(unquote(urlsplit(link).path)).read_text(encoding="utf-8").count(",") for link in links)


def test_a_chart_to_play_with_follows_the_keys(browser: Browser, playable: Path) -> None:
    """Arrow keys move the slider, its value is told as the table has it, and the chart is drawn again."""
    browser.open(playable)
    (chart, *_) = browser.driver.find_elements(By.CSS_SELECTOR, ".play")
    wait(browser, lambda: chart.find_elements(By.CSS_SELECTOR, "output") and browser.run(LINES, chart))
    control, output = (chart.find_element(By.CSS_SELECTOR, name) for name in ("input[type=range]", "output"))
    browser.run("arguments[0].focus()", control)
    assert browser.driver.switch_to.active_element == control
    first, drawn = output.text, browser.run(LINES, chart)
    for key, is_first in ((Keys.ARROW_RIGHT, False), (Keys.ARROW_LEFT, True)):
        browser.driver.switch_to.active_element.send_keys(key)
        wait(browser, lambda same=is_first: (browser.run(LINES, chart) == drawn) == same)
        assert (output.text == first) == is_first
        assert control.get_attribute("aria-valuetext") == output.text
    menu = chart.find_element(By.CSS_SELECTOR, "select")
    menu.send_keys(Keys.ARROW_DOWN)
    wait(browser, lambda: browser.run(LINES, chart) != drawn)


def test_the_index_of_each_study_fits_a_phone_and_names_what_it_has(browser: Browser, index: Path) -> None:
    browser.open(index, PHONE)
    table_of(browser, 3)
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE
    sections = browser.run("""return [...document.querySelectorAll("h2")].map(each => each.textContent)""")
    assert sections[0] == "Questions" and {"Figures", "Tables", "Configuration"} <= set(sections)


def sorts(browser: Browser, table) -> None:
    """Sort a table: a click on a heading makes it rise, Enter fall, Space rise again."""
    headings = table.find_elements(By.CSS_SELECTOR, "th")
    columns = {column: browser.run(COLUMN, table, column) for column in range(len(headings))}
    column = max(columns, key=lambda place: len(set(columns[place])))
    text = columns[column]
    is_numeric = all(re.match(r"[-+]?[\d.]|inf", cell) for cell in text if cell not in ("", "nan"))
    button = headings[column].find_element(By.TAG_NAME, "button")
    orders = []
    for press in (button.click, lambda: button.send_keys(Keys.ENTER), lambda: button.send_keys(Keys.SPACE)):
        press()
        orders.append((headings[column].get_attribute("aria-sort"), browser.run(COLUMN, table, column)))
    assert [name for name, _ in orders] == ["ascending", "descending", "ascending"]
    for _, order in orders:
        assert sorted(order) == sorted(text)
    if is_numeric:
        values = [[float(cell.split()[0]) for cell in order if cell not in ("", "nan")] for _, order in orders]
        assert values == [sorted(values[0]), sorted(values[0], reverse=True), sorted(values[0])]
    assert orders[0] == orders[2]
    assert orders[0][1] != orders[1][1]


@pytest.mark.parametrize("name", ["scorecard", "tables/windows_by_option"])
def test_tables_sort_by_click_and_by_key(browser: Browser, results: Path, reading: str, name: str) -> None:
    browser.open(results / reading / f"{name}.html")
    sorts(browser, browser.driver.find_element(By.CSS_SELECTOR, "table.sortable"))


def test_numbers_sort_as_numbers(browser: Browser, results: Path) -> None:
    browser.open(results / "tables" / "transport_by_lag.html")
    table = browser.driver.find_element(By.CSS_SELECTOR, "table.sortable")
    lag = browser.driver.find_element(By.XPATH, "//th[contains(., 'lag')]/button")
    lag.click()
    lag.click()
    lags = browser.run(COLUMN, table, 2)
    assert lags[0] == str(max(map(int, lags))) != max(lags)  # which is last as text


def test_the_report_shows_every_figure_with_its_caption_and_labels(
    browser: Browser, results: Path, report: Path
) -> None:
    browser.open(report)
    shown = browser.run("return results")
    images = {path for path in shown if path.endswith(".png")}
    assert {Path(path).name for path in images} == {path.name for path in results.rglob("*.png")}
    for path, entry in shown.items():
        assert "<strong>" in entry["caption"], path
        assert entry["labels"], path
    for path in images:
        assert browser.run(SHOW, "img", shown[path], path) > 0, path
    assert {spec["rule"] for spec in browser.run("return runtimes_spec")["data"]["values"]} >= {"train_network"}


def test_tables_sort_within_the_report(browser: Browser, reading: str, report: Path) -> None:
    browser.open(report)
    shown = browser.run("return results")
    button = (By.CSS_SELECTOR, "table.sortable th button")
    for file in ("scorecard.html", "windows_by_option.html"):
        (path,) = [path for path in shown if Path(path).name == file and f"/{reading}/" in path]
        browser.run(SHOW, "html", shown[path], path)
        frame = browser.driver.find_element(By.CSS_SELECTOR, "#app iframe")
        browser.driver.switch_to.frame(frame)
        WebDriverWait(browser.driver, 60).until(lambda driver: driver.find_elements(*button))
        sorts(browser, browser.driver.find_element(By.CSS_SELECTOR, "table.sortable"))
        assert not browser.driver.find_elements(By.CSS_SELECTOR, "a[href]")  # they would lead nowhere here
        browser.driver.switch_to.default_content()
