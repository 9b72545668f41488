"""Chromium without a window, as tests of pages need it: what is shown, at which pixels, and what is said of it."""

import base64
import contextlib
import shutil
import struct
import zlib
from dataclasses import dataclass
from math import ceil

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from harness import wait_until

TROUBLE = WebDriverException
WIDTH, HEIGHT = 1280, 900


def decode_png(data):
    """The rows of a PNG, each a list of (red, green, blue); of the kind that Chromium writes."""
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    channels = {2: 3, 6: 4}[kind]
    if depth != 8 or interlace:
        raise ValueError("a PNG of another kind")
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    raw, stride = zlib.decompress(packed), width * channels
    rows, above = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        row, how = bytearray(raw[start + 1:start + 1 + stride]), raw[start]
        undo_filter(row, above, how, channels)
        rows.append(list(zip(row[0::channels], row[1::channels], row[2::channels])))
        above = row
    return rows


def undo_filter(row, above, how, step):
    for x in range(len(row)) if how else ():
        left, up, corner = (row[x - step], above[x], above[x - step]) if x >= step else (0, above[x], 0)
        if how == 1:
            guess = left
        elif how == 2:
            guess = up
        elif how == 3:
            guess = (left + up) // 2
        else:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
        row[x] = row[x] + guess & 255


@dataclass
class Picture:
    rows: list
    left: float  # where in them the element begins
    top: float
    width: float
    height: float

    def at(self, x, y):
        """The colour of a place in the element, counted in pixels."""
        return self.rows[int(self.top + y)][int(self.left + x)]


class Browser:
    """One window for all tests; a test that changes how it looks uses `looks`."""

    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "chromium"
        # The sandbox does not work for root. No name is resolved, so nothing that Chromium does by itself takes time.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--force-color-profile=srgb", "--no-first-run", "--disable-background-networking",
                         "--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={WIDTH},{HEIGHT}",
                         f"--user-data-dir={folder / 'chromium'}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = shutil.which("chromedriver") or "chromedriver"
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.driver.command_executor.set_timeout(900)  # seconds; a browser that does not answer is no reason to wait for ever
        self.driver.set_page_load_timeout(600)
        self.driver.set_script_timeout(600)  # 30 by itself, which a busy machine takes for what a page computes

    def close(self):
        self.driver.quit()

    def open(self, path, fragment=""):
        self.driver.get("about:blank")  # else a new fragment would not load the page again
        self.driver.get(path.resolve().as_uri() + fragment)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def soon(self, script, what, *arguments):
        """Waits until the script gives something true, in a page that may be about to load."""
        def given():
            try:
                return self.js(script, *arguments)
            except TROUBLE:
                return None  # it began to load meanwhile
        return wait_until(given, what)

    def tool(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    @contextlib.contextmanager
    def before_page(self, script):
        """Runs the script in each page from disk before its own."""
        source = f"if (location.protocol === 'file:') {{ {script}; }}"
        made = self.tool("Page.addScriptToEvaluateOnNewDocument", source=source)
        try:
            yield
        finally:
            self.tool("Page.removeScriptToEvaluateOnNewDocument", **made)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def choose(self, selector, value):
        """With keys: a click of the driver does not tell the page all that a click of a person does."""
        at = [option.get_property("value") for option in self.all(f"{selector} option")].index(value)
        self.one(selector).send_keys(Keys.HOME, *[Keys.ARROW_DOWN] * at)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, condition, most=200):
        """Presses Tab until the focus is on an element for which the script holds; False where it never is."""
        for _ in range(most):
            self.keys(Keys.TAB)
            if self.js(f"const e = document.activeElement; return !!({condition})"):
                return True
        return False

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def seen(self, selector):
        """The data-id of each element that can be seen, in the order of the page."""
        return self.js("return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility() && "
                       "e.getClientRects().length).map(e => e.dataset.id)", selector)

    def picture(self, element):
        """An element as it is painted."""
        x, y, width, height = self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});"
                                      "const r = arguments[0].getBoundingClientRect();"
                                      "return [r.x + scrollX, r.y + scrollY, r.width, r.height]", element)
        left, top = int(x), int(y)  # between two pixels the picture would be smoothed
        clip = {"x": left, "y": top, "width": ceil(x + width) - left, "height": ceil(y + height) - top, "scale": 1}
        shot = self.tool("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return Picture(decode_png(base64.b64decode(shot["data"])), x - left, y - top, width, height)

    def named(self):
        """Role and name of everything that Tab leads to, as a screen reader is told."""
        found = []
        for node in self.tool("Accessibility.getFullAXTree")["nodes"]:
            focusable = any(p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", []))
            role = node.get("role", {}).get("value")
            if focusable and not node.get("ignored") and role not in ("RootWebArea", "main"):  # main: by a link alone
                found.append((role, node.get("name", {}).get("value", "").strip()))
        return found

    @contextlib.contextmanager
    def looks(self, width=0, scheme="", script=True, height=740):
        """For a while: a phone so wide and high, a preference for light or dark, without scripts."""
        if width:
            self.tool("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
        self.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.tool("Emulation.setScriptExecutionDisabled", value=not script)
        try:
            yield
        finally:
            self.tool("Emulation.clearDeviceMetricsOverride")
            self.tool("Emulation.setEmulatedMedia", features=[])
            self.tool("Emulation.setScriptExecutionDisabled", value=False)
