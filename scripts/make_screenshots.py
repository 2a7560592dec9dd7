"""Takes the pictures of the pages for the documentation: sample data, two widths, light and dark, into docs/images.

Needs Chromium and the packages of the `dev` extra; run it as `python scripts/make_screenshots.py`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
IMAGES = ROOT / "docs" / "images"
NOW = datetime(2026, 11, 16, 18, 30, tzinfo=UTC)
SIZES = {"wide": 1280, "phone": 390}
SCHEMES = ("light", "dark")
MOST_HEIGHT = {"wide": 1500, "phone": 1300}
MOST_BYTES = 150_000
# Squared distance under which two colours count as one.
NEAR = 120
SURFACES = 60
SWITCHES = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


def list_pages(memory: Any) -> dict[str, str]:
    """The address of each picture's page, by its name."""
    kept = memory.review.records("alex", derived=True, limit=500)
    record = next(one for one in kept if "cashews" in one.text)
    return {
        "home": "/",
        "browse": "/browse?q=what+can+Clara+eat&history=1",
        "record": f"/records/{record.id}?q=Clara&ask=what+can+Clara+eat",
        "agent": "/agent?message=what+should+we+cook+for+Clara%27s+birthday%3F",
        "people": "/people",
        "entities": "/entities?name=Clara",
    }


def shrink(picture: bytes) -> bytes:
    """The picture with 256 colours; every other pixel gets the nearest of them."""
    from PIL import Image

    image = Image.open(BytesIO(picture)).convert("RGB")
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in choose_colours(image) for part in colour])
    written = BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    if written.tell() > MOST_BYTES:
        raise SystemExit(f"a picture has {written.tell():,} bytes, {MOST_BYTES:,} are allowed: make it lower")
    return written.getvalue()


def choose_colours(image: Any) -> list[tuple[int, int, int]]:
    """The colours that a picture has most of: its surfaces as they are, then none near another.

    Shades of grey, which soften letters, would displace rare colours otherwise.
    """
    counted = image.getcolors(image.width * image.height)
    ordered = [colour for _, colour in sorted(counted, reverse=True)]
    kept: list[tuple[int, int, int]] = ordered[:SURFACES]
    for colour in ordered[SURFACES:]:
        if all(sum((a - b) ** 2 for a, b in zip(colour, one, strict=True)) > NEAR for one in kept):
            kept.append(colour)
        if len(kept) == 256:
            break
    return kept


def take_pictures(server: Any, browser: Any) -> None:
    """Every page in both widths and both schemes."""
    from toldonce.server.identity import Identity

    for scheme in SCHEMES:
        for size, width in SIZES.items():
            view = {"width": width, "height": 900}
            context = browser.new_context(viewport=view, color_scheme=scheme, reduced_motion="reduce", locale="en-GB")
            page = context.new_page()
            rights = ("read", "write", "manage")
            owner = Identity(
                credential="link",
                name="pictures",
                kind="browser",
                person="alex",
                rights=rights,
                role="person",
                is_owner=True,
            )
            page.goto(f"{server.url}/sign-in?token={server.app.credentials.make_link_token(owner)}")
            for name, path in list_pages(server.memory).items():
                page.goto(server.url + path)
                page.wait_for_selector("#live[data-state=live]")
                # As high as the page: sticky and fixed parts would be in the wrong place otherwise.
                height = page.evaluate("document.documentElement.scrollHeight")
                page.set_viewport_size({"width": width, "height": min(max(height, 600), MOST_HEIGHT[size])})
                target = IMAGES / f"{name}-{size}-{scheme}.png"
                target.write_bytes(shrink(page.screenshot()))
                page.set_viewport_size(view)
                print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")
            context.close()


def main() -> None:
    """Serve a sample life for as long as the pictures are taken."""
    from playwright.sync_api import sync_playwright

    from tests.pages.made_up_life import fill_with_sample
    from tests.server.serving import serving
    from toldonce import Memory

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("chromium is not installed: `apt-get install chromium`")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "memory.db"
        with Memory.open(place, preset="life", clock=lambda: NOW, background=False) as memory:
            fill_with_sample(memory, now=NOW)
            memory.tend(NOW)
            with serving(memory) as server, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=list(SWITCHES))
                take_pictures(server, browser)
                browser.close()


if __name__ == "__main__":
    main()
