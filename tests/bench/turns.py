"""Order of measurements: items by turns, within a time that is kept on a busy machine too."""
import collections
import time

# In `part`, `who` is measured `where`.  `run(turn, left)` measures once; left() is how many seconds there are.
# It raises TimeUp where they did not suffice.
Item = collections.namedtuple("Item", "part who where run")


class TimeUp(Exception):
    """A program was stopped, since the time was up."""


class Turns:
    """Runs items in their order once a round.  In the first round a part has its share of the time and what those
    before it have left, and an item an eighth of the share, or twice its own part of it; what did not fit comes again
    at the end of the round, and is in `left_out` when it does not fit then either.  A further round of a part begins only when it is expected to fit."""

    def __init__(self, items, shares, seconds, now=time.monotonic):
        self.items, self.shares, self.now = items, shares, now
        self.began = now()
        self.end = self.began + seconds
        self.took = {}  # {item: seconds of the longest run}
        self.left_out, self.rounds = [], dict.fromkeys(shares, 0)

    def of(self, part):
        return [item for item in self.items if item.part == part]

    def one(self, item, turn, limit):
        """Was there time for it?"""
        began = self.now()
        if began + self.took.get(item, 0) >= limit:
            return False
        try:
            item.run(turn, lambda: limit - self.now())
        except TimeUp:
            return False
        self.took[item] = max(self.took.get(item, 0), self.now() - began)
        return True

    def first(self):
        late, limit, whole = [], self.began, sum(self.shares.values())
        for part, share in self.shares.items():
            share *= (self.end - self.began) / whole
            limit += share
            most = share * max(1 / 8, 2 / max(1, len(self.of(part))))
            late += [item for item in self.of(part) if not self.one(item, 1, min(limit, self.now() + most))]
        self.left_out = [item for item in late if not self.one(item, 1, self.end)]
        for part in self.shares:
            self.rounds[part] += any(item in self.took for item in self.of(part))

    def again(self, turn):
        """A further round of the parts it is expected to fit for; is there one?"""
        fits = False
        for part in self.shares:
            known = [item for item in self.of(part) if item in self.took]
            if not known or self.now() + sum(self.took[item] for item in known) > self.end:
                continue
            fits = all([self.one(item, turn, self.end) for item in known]) or fits
            self.rounds[part] += 1
        return fits

    def run(self, rounds):
        self.first()
        turn = 2
        while turn <= rounds and self.again(turn):
            turn += 1

    def said(self):
        """Items that were left out: "WHO, WHO: WHERE, WHERE", those left out alike together."""
        for part in self.shares:
            out = collections.defaultdict(list)
            for item in self.of(part):
                if item in self.left_out:
                    out[item.where].append(item.who)
            nobody = {item.where for item in self.of(part)} - {item.where for item in self.took if item.part == part}
            alike = collections.defaultdict(list)
            for where, whos in out.items():
                alike["all" if where in nobody else ", ".join(whos)].append(where)
            yield from (f"{part}, {', '.join(places)}: {whos}" for whos, places in alike.items())
