"""Content of a page of a motion or a branch, read as its script reads it."""

import base64
import gzip
import html.parser
import json

import numpy as np


class _Blocks(html.parser.HTMLParser):
    """The texts of all scripts, by id; those without one are code."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.of, self.code, self.id, self.inside, self.tags = {}, [], None, False, []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.id, self.inside = dict(attrs).get("id"), True
            self.of.setdefault(self.id, "")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "script"

    def handle_data(self, data):
        if self.inside:
            self.of[self.id] += data


def unpacked(text, kind):
    raw = np.frombuffer(gzip.decompress(base64.b64decode(text)), np.uint8)
    return raw.reshape(np.dtype(kind).itemsize, -1).T.copy().view(kind).ravel()


class Page:
    def __init__(self, text):
        blocks = _Blocks()
        blocks.feed(text)
        self.text, self.tags = text, blocks.tags
        self.scripts = [attrs for tag, attrs in blocks.tags if tag == "script"]
        self.meta = json.loads(blocks.of["meta"])
        self.numbers = unpacked(blocks.of["numbers"], "<f4")
        self.t = unpacked(blocks.of["times"], "<f8") if "times" in blocks.of else None

    def column(self, k):
        return self.numbers[k * self.t.size : (k + 1) * self.t.size].astype(float)

    def points(self, shape):
        """[sample][2 n]"""
        if "still" in shape:
            return np.broadcast_to(shape["still"], (self.t.size, len(shape["still"])))
        return np.stack([self.column(shape["from"] + k) for k in range(shape["n"])], axis=1)

    def shapes(self, name, kind=None):
        return [s for s in self.meta["scene"]["shapes"] if s["name"] == name and kind in (None, s["kind"])]

    def at(self, values, t):
        """Values [sample][n] at a time, of an instant the later sample."""
        i = min(max(int(np.searchsorted(self.t, t, side="right")) - 1, 0), self.t.size - 2)
        long = self.t[i + 1] - self.t[i]
        share = (t - self.t[i]) / long if long > 0 else 1.0
        return (1 - share) * values[i] + share * values[i + 1]

    def closed(self, number):
        """[(from, to)] of a contact."""
        flat = next(c["closed"] for c in self.meta["contacts"] if c["number"] == number)
        return list(zip(flat[::2], flat[1::2]))
