"""gallery_in_browser.py BROWSER SOURCE: opens docs/gallery.html in Chromium without a window, at two widths. Fails if a picture
does not load, the browser reports an error, or the page is wider than the window. A page with these faults must fail."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = (1200, 400)
BROKEN = """<!DOCTYPE html><title>Broken</title><body style="margin: 0">
<img src="missing.png" alt="missing" loading="lazy"><p style="width: 900px">wide</p><script>console.error("logged"); undefinedFunction()</script>"""
# Lazy pictures load only when they are scrolled into the window.
MEASURE = """(async () => {
  const pictures = [...document.images];
  for (const picture of pictures) picture.loading = "eager";
  await Promise.all(pictures.map(picture => picture.decode().catch(() => {})));
  return {pictures: pictures.length, missing: pictures.filter(picture => !picture.naturalWidth).map(picture => picture.src),
          width: document.documentElement.scrollWidth};
})()"""


class Browser:
    """Chromium, controlled by the DevTools protocol: JSON texts that end with a zero byte, on the file descriptors 3 and 4."""

    session = {}

    def __init__(self, program, profile):
        commands, self.commands = os.pipe()
        self.replies, replies = os.pipe()
        start = f'exec "$0" "$@" 3<&{commands} 4>&{replies}'
        self.process = subprocess.Popen(
            ["bash", "-c", start, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", f"--user-data-dir={profile}", "--remote-debugging-pipe"],
            pass_fds=[commands, replies], stderr=subprocess.DEVNULL)
        os.close(commands), os.close(replies)
        self.text, self.number, self.events = b"", 0, []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def close(self):
        os.close(self.commands), os.close(self.replies)  # the browser then ends
        self.process.wait(timeout=20)

    def read(self):
        while b"\0" not in self.text:
            more = os.read(self.replies, 1 << 20)
            assert more, "the browser ended"
            self.text += more
        message, _, self.text = self.text.partition(b"\0")
        return json.loads(message)

    def send(self, method, **parameters):
        """Returns the reply to a command. Notifications that arrive before it are appended to `events`."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters, **self.session}
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while (message := self.read()).get("id") != self.number:
            self.events.append(message)
        assert "error" not in message, message
        return message["result"]

    def faults(self, page, width):
        """Returns the number of pictures of a page and a line for each fault."""
        self.events.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        self.send("Page.navigate", url=page.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())
        shown = self.send("Runtime.evaluate", expression=MEASURE, awaitPromise=True, returnByValue=True)["result"]["value"]
        faults = [f"does not load: {picture}" for picture in shown["missing"]]
        for event in self.events:
            found = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                faults.append("exception: " + found["exceptionDetails"]["exception"]["description"])
            elif event["method"] == "Runtime.consoleAPICalled" and found["type"] in ("error", "assert"):
                faults.append(f"console: {found['args'][0].get('value')}")
            elif event["method"] == "Log.entryAdded" and found["entry"]["level"] == "error":
                faults.append(f"log: {found['entry']['text']} {found['entry'].get('url', '')}")
        if shown["width"] > width:
            faults.append(f"{shown['width']} pixels wide in a window of {width}")
        return shown["pictures"], faults


def main(program, source):
    gallery = pathlib.Path(source, "docs", "gallery.html").resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        broken = pathlib.Path(folder, "broken.html")
        broken.write_text(BROKEN, encoding="utf-8")
        browser = Browser(program, folder)
        try:
            _, found = browser.faults(broken, 400)
            print("A page with faults:", *found, "docs/gallery.html:", sep="\n")
            assert [fault.split(":")[0] for fault in sorted(found)] == [
                "900 pixels wide in a window of 400", "console", "does not load", "exception", "log"]
            faults = 0
            for width in WIDTHS:
                pictures, found = browser.faults(gallery, width)
                print(f"{width} pixels: {pictures} pictures", *found, sep="\n")
                faults += len(found) + (pictures < 20)
        finally:
            browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
