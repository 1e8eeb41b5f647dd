"""A scene as one SVG that moves by itself (SMIL), so that it does so in an <img>; it has no script.

Where reduced motion is asked for it shows the first sample. Colours are those of the theme, light or dark.
"""

import numpy as np

import page

FLASH = 0.35  # seconds
MOST_EVENTS = 120  # that flash
STYLE = """
:root{--card:#fff;--closed:#c2410c;--spring:#1f5fa8;--body:#c9d6e6;--edge:#34455a;--soil:#cfc9bd;--line:#d9dce0;--ink:#1b1e23}
@media (prefers-color-scheme:dark){:root{--card:#181c20;--closed:#ff9d5c;--spring:#86b9f5;--body:#37485c;--edge:#c3d0e0;--soil:#4a463e;--line:#343a41;--ink:#e9eaec}}
path,circle{fill:none;stroke:var(--edge);stroke-width:2;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
.body{fill:var(--body)}.shell{fill:var(--body);fill-opacity:.55}.beam{stroke-width:6}.foot{fill:var(--edge)}.spring{stroke:var(--spring)}
.wheel{fill:var(--card);fill-opacity:.55;stroke-width:4}.faint{stroke:var(--line);stroke-width:1}.ground{fill:var(--soil);stroke:none}
.bump{fill:var(--soil);stroke-width:1}.closed{stroke:var(--closed)}.foot.closed{fill:var(--closed)}
text{fill:var(--ink);font-family:system-ui,"DejaVu Sans",sans-serif}.paper{fill:var(--card);stroke:none}.touch{fill:var(--closed);stroke:none}.ring{stroke:var(--closed);stroke-width:3}
.still{display:none}@media (prefers-reduced-motion:reduce){.moving{display:none}.still{display:inline}}
"""
COILS = 6
WIDE = 640  # of the picture, unless another width is given


def coil(a, b, wide):
    """Points [.., 2] of a spring between a and b [.., 2]; stage.js draws the same."""
    along = b - a
    long = np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1) / long
    turns = range(2 * COILS + 1)
    inner = [a + (0.12 + 0.76 * i / (2 * COILS)) * along + across * (0 if i in (0, 2 * COILS) else wide if i % 2 else -wide) for i in turns]
    return np.stack([a, *inner, b], axis=-2)


def _number(x):
    return f"{x:.4g}" if x else "0"


class Digits:
    """Numbers to a two-thousandth of the picture's height or less."""

    def __init__(self, scale):
        self.digits = max(0, int(np.ceil(-np.log10(scale / 2000))))

    def one(self, x):
        return f"{round(float(x), self.digits) + 0.0:.10g}"  # + 0: no -0

    def path(self, points, closed):
        """points [n][2]"""
        rounded = (np.round(points * [1, -1], self.digits) + 0.0).tolist()
        return "M" + "L".join(f"{x:.10g} {y:.10g}" for x, y in rounded) + ("Z" if closed else "")


def _animated(attribute, values, times, seconds, how="linear"):
    same = all(v == values[0] for v in values)
    if same:
        return ""
    return (f'<animate attributeName="{attribute}" dur="{seconds:.4g}s" repeatCount="indefinite" calcMode="{how}" '
            f'keyTimes="{";".join(times)}" values="{";".join(values)}"/>')


class Picture:
    def __init__(self, trajectory, scene, speed):
        self.trajectory, self.scene, self.scale = trajectory, scene, scene.view[3]
        self.digits, given = Digits(self.scale), speed
        speed = speed or trajectory.end / (4 if trajectory.period else 8)
        if trajectory.time_unit == "s" and given is None and 1 / 3 < speed < 3:
            speed = 1.0
        self.seconds = trajectory.end / speed
        share = (trajectory.t - trajectory.t[0]) / (trajectory.t[-1] - trajectory.t[0])
        self.times = [f"{s:.5g}" for s in np.maximum.accumulate(share)]
        self.times[0], self.times[-1] = "0", "1"

    def points(self, shape):
        """[sample or 1][n][2]"""
        at = np.atleast_2d(shape.at).reshape(np.atleast_2d(shape.at).shape[0], -1, 2)
        return coil(at[:, 0], at[:, 1], shape.size) if shape.kind == "spring" else at

    def shows_contact(self, shape):
        return 0 <= shape.contact < self.trajectory.closed.shape[1] and shape.look != "ground"

    def begins_closed(self, shape):
        return self.shows_contact(shape) and self.trajectory.closed[0, shape.contact]

    def colours(self, shape):
        """Colours of closed contacts, in jumps: by class, since values of SMIL have no variables."""
        k = shape.contact
        return "" if not self.shows_contact(shape) else self.switched("class", k, f"{shape.look} closed", shape.look)

    def switched(self, attribute, contact, on, off):
        closed = self.trajectory.closed[:, contact]
        turns = [0, *(np.flatnonzero(np.diff(closed.astype(int))) + 1)]
        return _animated(attribute, [on if closed[i] else off for i in turns], [self.times[i] if i else "0" for i in turns], self.seconds, "discrete")

    def shape(self, shape, moving):
        points = self.points(shape)
        name = f"<title>{page.text(shape.name)}</title>" if shape.name else ""
        look = f'class="{shape.look}{" closed" if self.begins_closed(shape) else ""}"'
        inside = name + (self.colours(shape) if moving else "")
        if shape.kind == "disc":
            x, y = ([self.digits.one(v) for v in sign * points[:, 0, i]] for i, sign in ((0, 1), (1, -1)))
            moves = _animated("cx", x, self.times, self.seconds) + _animated("cy", y, self.times, self.seconds) if moving and len(points) > 1 else ""
            return f'<circle {look} cx="{x[0]}" cy="{y[0]}" r="{_number(shape.size)}">{inside}{moves}</circle>'
        paths = [self.digits.path(p, shape.kind == "area") for p in (points if moving else points[:1])]
        moves = _animated("d", paths, self.times, self.seconds) if len(paths) > 1 else ""
        return f'<path {look} d="{paths[0]}">{inside}{moves}</path>'

    def flashes(self):
        """A ring at each event, and a dot while a contact is closed."""
        made = []
        for k, at in self.scene.marks.items():
            if k >= self.trajectory.closed.shape[1]:
                continue
            x, y = ([self.digits.one(v) for v in sign * at[:, i]] for i, sign in ((0, 1), (1, -1)))
            moves = _animated("cx", x, self.times, self.seconds) + _animated("cy", y, self.times, self.seconds)
            closed = self.trajectory.closed[:, k]
            dot = self.switched("opacity", k, "1", "0")
            if closed.any():
                made.append(f'<circle class="touch" r="{_number(0.02 * self.scale)}" cx="{x[0]}" cy="{y[0]}" opacity="{int(closed[0])}">{moves}{dot}</circle>')
        return made + self.rings()

    def rings(self):
        made, end = [], self.trajectory.t[-1] - self.trajectory.t[0]
        for t, k in list(zip(self.trajectory.event_t, self.trajectory.event_contact))[:MOST_EVENTS]:
            if int(k) not in self.scene.marks:
                continue
            mark = self.scene.marks[int(k)]
            x, y = (float(np.interp(t, self.trajectory.t, mark[:, i])) for i in (0, 1))
            begin = (t - self.trajectory.t[0]) / end
            stop = min(begin + FLASH / self.seconds, 1)
            if stop - begin < 1e-4:
                continue
            times = ["0", f"{begin:.5g}", f"{begin:.5g}", f"{stop:.5g}", "1"]
            shows = _animated("opacity", ["0", "0", "1", "0", "0"], times, self.seconds)
            grows = _animated("r", [_number(v * self.scale) for v in (0.02, 0.02, 0.02, 0.09, 0.09)], times, self.seconds)
            made.append(f'<circle class="ring" cx="{self.digits.one(x)}" cy="{self.digits.one(-y)}" r="0" opacity="0">{shows}{grows}</circle>')
        return made

    def world(self, moving):
        shapes = [self.shape(s, moving) for s in self.scene.shapes] + (self.flashes() if moving else [])
        camera = self.scene.camera
        follow = still = ""
        if camera is not None:
            still = f' transform="translate({self.digits.one(-camera[0])} 0)"'
            if moving:
                follow = (f'<animateTransform attributeName="transform" type="translate" dur="{self.seconds:.4g}s" repeatCount="indefinite" '
                          f'keyTimes="{";".join(self.times)}" values="{";".join(f"{self.digits.one(-c)} 0" for c in camera)}"/>')
        return f'<g class="{"moving" if moving else "still"}"><g{still}>{follow}' + "\n".join(shapes) + "</g></g>"


def _failed(trajectory, x, y, size):
    """The word that a run failed, above the speed."""
    if not trajectory.ending:
        return ""
    short = trajectory.ending.split(":")[0]
    return f'<text x="{_number(x)}" y="{_number(y - 1.5 * size)}" font-size="{_number(size)}">failed: {page.text(short)}</text>'


def svg_of(trajectory, scene, speed=None):
    """The picture as text."""
    picture = Picture(trajectory, scene, speed)
    x, y, wide, high = (float(v) for v in scene.view)
    box = f"{_number(x)} {_number(-(y + high))} {_number(wide)} {_number(high)}"
    rate = f"{trajectory.end / picture.seconds:.3g}"
    speed = {"s": "real time" if rate == "1" else f"{rate} of real time", "1": f"{rate} units of time a second"}.get(trajectory.time_unit, f"{rate} {trajectory.time_unit} a second")
    said = [f"{trajectory.title}.", f"{speed}.", *dict.fromkeys(trajectory.notes), *scene.notes]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{WIDE}" height="{round(WIDE * high / wide)}" role="img">'
            f"<title>{page.text(trajectory.title)}</title><desc>{page.text(' '.join(said))}</desc><style>{STYLE}</style>"
            f'<rect class="paper" x="{_number(x)}" y="{_number(-(y + high))}" width="{_number(wide)}" height="{_number(high)}"/>'
            f"{picture.world(False)}\n{picture.world(True)}\n"
            f'<text x="{_number(x + 0.02 * high)}" y="{_number(-y - 0.025 * high)}" font-size="{_number(0.024 * wide)}">{page.text(speed)}</text>{_failed(trajectory, x + 0.02 * high, -y - 0.025 * high, 0.024 * wide)}</svg>\n')
