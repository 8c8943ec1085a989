"""The report in a real browser: quiet, alone, quick, and usable with mouse, keyboard and a shared link.

`make setup` installs the browser; without it these tests are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify.report.counting import wrong
from glbcheck.verify.report.html import Bundle, render
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.helpers.report_bundle import hostile, real
from tests.machine import chromedriver, chromium

pytestmark = pytest.mark.needs("browser")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-default-apps", "--metrics-recording-only", "--window-size=1280,900",
)  # fmt: skip
READY = "return document.documentElement.dataset.ready"


def start() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    program = chromium()
    assert program is not None
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver()))


@pytest.fixture(scope="module")
def chrome() -> Iterator[webdriver.Chrome]:
    browser = start()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return real()


@pytest.fixture(scope="module")
def address(bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> str:
    return put(render(bundle), tmp_path_factory.mktemp("report"))


def put(text: str, folder: Path) -> str:
    (folder / "report.html").write_text(text, encoding="utf-8")
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(chrome: webdriver.Chrome, address: str) -> webdriver.Chrome:
    """The report, freshly opened."""
    return visit(chrome, address)


def log(browser: webdriver.Chrome, kind: str) -> list[dict[str, Any]]:
    """What the browser has logged since the last look."""
    found: list[dict[str, Any]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return found


def visit(browser: webdriver.Chrome, url: str) -> webdriver.Chrome:
    browser.get("about:blank")
    log(browser, "performance")
    log(browser, "browser")
    browser.get(url)
    return browser


def one(page: webdriver.Chrome, selector: str) -> WebElement:
    return page.find_element(By.CSS_SELECTOR, selector)


def visible_rows(page: webdriver.Chrome) -> list[str]:
    rows = "document.querySelectorAll('#anchor-table tbody tr')"
    found: list[str] = page.execute_script(f"return [...{rows}].filter(r => !r.hidden).map(r => r.id)")
    return found


def focused(page: webdriver.Chrome) -> WebElement:
    return page.switch_to.active_element


def press(page: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        focused(page).send_keys(key)


def anchors_with(bundle: Bundle, verdict: str) -> set[str]:
    return {f"anchor={a}" for c in bundle.results["claims"] if c["verdict"] == verdict for a in c["anchors"]}


def test_the_page_is_quiet_and_alone(page: webdriver.Chrome) -> None:
    assert [entry for entry in log(page, "browser") if entry["level"] != "INFO"] == []
    messages = [json.loads(entry["message"])["message"] for entry in log(page, "performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert len([url for url in asked if url.startswith("file:")]) == 1
    assert not [url for url in asked if not url.startswith(("file:", "data:", "about:"))]


def test_the_page_is_ready_within_two_seconds(chrome: webdriver.Chrome, address: str) -> None:
    """The best of three, since the machine may be busy with other tests."""
    assert min(float(visit(chrome, address).execute_script(READY)) for _ in range(3)) < 2000


def test_every_anchor_is_there_and_filters_work_alone_and_together(page: webdriver.Chrome, bundle: Bundle) -> None:
    assert set(visible_rows(page)) == {f"anchor={a['id']}" for a in bundle.anchors}
    Select(one(page, "#filter-verdict")).select_by_value("refuted")
    refuted = anchors_with(bundle, "refuted")
    assert set(visible_rows(page)) == refuted
    Select(one(page, "#filter-section")).select_by_value("app:ye")
    both = set(visible_rows(page))
    assert both
    assert both < refuted
    one(page, "#filter-text").send_keys("eluder/eq13")
    assert visible_rows(page) == ["anchor=lemma:eluder/eq13"]
    assert one(page, "#filter-count").text == f"1 of {len(bundle.anchors)} anchors"


def test_columns_sort_and_say_so(page: webdriver.Chrome) -> None:
    button = one(page, "#anchor-table thead th:nth-child(2) button")
    for direction, backwards in (("ascending", False), ("descending", True)):
        page.execute_script("arguments[0].click()", button)
        names = visible_rows(page)
        assert one(page, "#anchor-table thead th:nth-child(2)").get_attribute("aria-sort") == direction
        assert names == sorted(names, reverse=backwards)


def test_a_click_in_the_graph_shows_all_about_the_claim(page: webdriver.Chrome, bundle: Bundle) -> None:
    claim = next(c for c in bundle.results["claims"] if c["id"] == "potential_bound")
    node = one(page, f"#graph-theorems .node[data-id='{claim['id']}']")
    page.execute_script("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", node)
    node.click()
    panel = one(page, "#panel")
    assert panel.is_displayed()
    assert one(page, "#panel-title").text == claim["id"].replace("_", " ")
    for piece in ("AS PRINTED", "Counterexample", *(name.replace("_", " ") for name in claim["uses"])):
        assert piece in panel.text
    assert page.current_url.endswith(f"#claim={claim['id']}")


def test_the_panel_leads_on_and_closes(page: webdriver.Chrome) -> None:
    page.execute_script("location.hash = '#claim=potential_of_independent_vectors'")
    WebDriverWait(page, 2).until(lambda p: one(p, "#panel").is_displayed())
    one(page, "#panel-body a[href='#claim=elliptical_potential']").click()
    assert one(page, "#panel-title").text == "elliptical potential"
    one(page, "#panel-body a[href='#anchor=lemma:epl']").click()
    WebDriverWait(page, 2).until(lambda p: not one(p, "#panel").is_displayed())
    assert focused(page).get_attribute("id") == "anchor=lemma:epl"
    page.back()
    WebDriverWait(page, 2).until(lambda p: one(p, "#panel").is_displayed())
    one(page, "#panel-close").click()
    assert not one(page, "#panel").is_displayed()


def test_the_graph_is_walked_with_tab(page: webdriver.Chrome) -> None:
    nodes = page.find_elements(By.CSS_SELECTOR, "#graph-theorems .node")
    page.execute_script("arguments[0].focus()", nodes[0])
    press(page, Keys.TAB, Keys.TAB)
    name = focused(page).get_attribute("data-id")
    assert name == nodes[2].get_attribute("data-id")
    press(page, Keys.ENTER)
    assert one(page, "#panel-title").text == str(name).replace("_", " ")
    assert focused(page).get_attribute("id") == "panel-title"
    press(page, Keys.ESCAPE)
    assert not one(page, "#panel").is_displayed()
    assert focused(page).get_attribute("data-id") == name


def test_a_tile_lists_the_claims_that_it_counts(page: webdriver.Chrome, bundle: Bundle) -> None:
    visible = "return [...document.querySelectorAll('#claim-cards > .card')].filter(c => !c.hidden).map(c => c.id)"
    assert len(page.execute_script(visible)) == len(bundle.results["claims"])
    claims = bundle.results["claims"]
    for selector, chosen in (
        (".tiles [data-verdict='gap']", {c["id"] for c in claims if c["verdict"] == "gap"}),
        (".weights [data-severity='substance']", {c["id"] for c in wrong(claims) if c["severity"] == "substance"}),
    ):
        assert int(one(page, f"{selector} [data-count]").text) == len(chosen)
        page.execute_script("arguments[0].click()", one(page, selector))
        assert set(page.execute_script(visible)) == {f"claim={name}" for name in chosen}
        assert one(page, "#claim-count").text == f"{len(chosen)} of {len(claims)} claims"


@pytest.mark.parametrize("name", ["anchor=lemma:epl", "anchor=theorem:confidence-sequence/eq2"])
def test_a_link_to_an_anchor_or_a_claim_can_be_shared(chrome: webdriver.Chrome, address: str, name: str) -> None:
    page = visit(chrome, f"{address}#{name}")
    row = page.find_element(By.ID, name)
    assert "chosen" in (row.get_attribute("class") or "")
    assert 0 <= page.execute_script("return arguments[0].getBoundingClientRect().top", row) < 900
    page = visit(chrome, f"{address}#claim=regret_theorem")
    assert one(page, "#panel-title").text == "regret theorem"


def test_an_anchor_that_is_filtered_away_comes_back_when_linked_to(page: webdriver.Chrome) -> None:
    Select(one(page, "#filter-verdict")).select_by_value("cited")
    page.execute_script("location.hash = '#anchor=lemma:epl'")
    WebDriverWait(page, 2).until(lambda p: "anchor=lemma:epl" in visible_rows(p))


def test_nothing_sticks_out_sideways(page: webdriver.Chrome) -> None:
    page.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    for width in (1280, 390):
        device = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
        found: int = page.execute_script("return document.documentElement.scrollWidth")
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert found <= width


def test_hostile_text_does_nothing(chrome: webdriver.Chrome, tmp_path: Path) -> None:
    page = visit(chrome, put(render(hostile()), tmp_path))
    assert page.execute_script(READY)
    assert [entry for entry in log(page, "browser") if entry["level"] != "INFO"] == []
    assert "alert" in one(page, "#findings").text
