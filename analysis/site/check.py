"""Every link of a finished site leads somewhere in it, nothing is loaded from elsewhere, and no page tells where it was made."""

import html.parser
import os
import re

from source import Wrong

LOADS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href", "object": "data", "embed": "src", "audio": "src", "video": "src"}
EXTERNAL = re.compile(r"https://[\w.-]+\.[a-z]{2,}(/[^\s\"<>]*)?$|mailto:[^\s@]+@[^\s@]+$")


class Reader(html.parser.HTMLParser):
    """What one page loads, where it leads, and the places in it."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.links, self.places, self.twice, self.styles = [], [], set(), [], []
        self.inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.inside = tag
        if place := found.get("id"):
            self.twice += [place] if place in self.places else []
            self.places.add(place)
        if tag in LOADS and found.get(LOADS[tag]) is not None:
            self.loads.append(found[LOADS[tag]])
        elif tag == "a" and found.get("href") is not None:
            self.links.append(found["href"])
        self.styles.append(found.get("style") or "")

    def handle_data(self, data):
        if self.inside == "style":
            self.styles.append(data)


def files_of(folder):
    for inside, _, names in os.walk(folder):
        yield from (os.path.relpath(os.path.join(inside, name), folder) for name in sorted(names))


def loaded(name, text):
    """Complaints about what a style loads."""
    for url in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]?([^'\";]+)", text):
        if not "".join(url).startswith(("data:", "#")):
            yield f"{name}: a style loads {''.join(url)}"


def complaints_of(name, page, files, pages, absent):
    yield from (f"{name}: several places are called {place}" for place in page.twice)
    yield from (line for style in page.styles for line in loaded(name, style))
    for link in page.loads + page.links:
        if link in page.loads and link.startswith("data:") or link in page.links and EXTERNAL.fullmatch(link):
            continue
        path, mark, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if target in absent:
            continue
        if re.match(r"[a-z+.-]+:|/", link) or target not in files:
            yield f"{name}: {'loads' if link in page.loads else 'a link to'} {link}, which is not in the site"
        elif mark and target in pages and anchor not in pages[target].places and not re.match(r"[?&=]|\w+=", anchor):
            yield f"{name}: a link to {link}, but no place there is called {anchor}"


def check(folder, private=(), absent=()):
    """Wrong with all complaints; private: texts that no page may hold; absent: pages that are known but were not made."""
    files, pages, wrong = set(files_of(folder)), {}, []
    for name in sorted(files):
        with open(os.path.join(folder, name), "rb") as file:
            content = file.read()
        wrong += [f"{name}: tells of {text}" for text in private if text.encode() in content]
        if name.endswith(".html"):
            pages[name] = Reader(content.decode())
        elif name.endswith(".css"):
            wrong += loaded(name, content.decode())
    for name, page in pages.items():
        wrong += complaints_of(name, page, files, pages, absent)
    if wrong:
        raise Wrong("\n".join(wrong))
    return len(pages), sum(len(page.links) + len(page.loads) for page in pages.values())
