"""Texts whose programs test_export.py runs."""
# Where runs begin: thrown up from the floor; gripped by less than what pulls; on a peg that lets go when a hammer hits it; where friction at rest is
# that of motion; on a floor that is left at once; falling onto a plate; at rest on it.
BEGINNINGS = {
    "thrown": """
parameters: {e: {preset: 0.8}}
states: {z: {preset: 0}, w: {preset: 4, rate_of: z}}
contacts: {floor: {names: [down, up], gap: z, closes: {z: 0, w: 0 if rests else -e * w}, stays: rests}}
flow: {z: 0 if floor else w, w: 0 if floor else -9.81}
""", "gripped": """
parameters: {k: {preset: 30}, most: {preset: 4}}
states: {x: {preset: 0.9}, v: {preset: 0, rate_of: x}}
discrete: {way: {preset: 1, values: [-1, 1]}}
contacts:
  grip: {names: [sticks, slips], kind: friction, gap: way * v, release: most - abs(k * x), closes: {v: 0, way: "-1 if k * x > 0 else 1"}, stays: abs(k * x) <= most,
         opens: {v: 0, way: "-1 if k * x > 0 else 1"}}
flow: {x: 0 if grip else v, v: 0 if grip else -k * x - way * most}
""", "peg": """
states: {x: {preset: 0}, v: {preset: 0, rate_of: x}, hammer: {preset: 0.5}, u: {preset: -1, rate_of: hammer}}
discrete: {firm: {preset: 1, values: [0, 1]}}
contacts:
  peg: {names: [caught, freed], gap: x, release: firm - 0.5, closes: {x: 0, v: 0 if rests else -v / 2}, stays: rests and firm > 0}
  blow: {names: [hits, leaves], gap: hammer, closes: {u: -u, firm: 0}, stays: false}
flow: {x: 0 if peg else v, v: 0 if peg else 2, hammer: u, u: 0}
""", "smooth": """
parameters: {most: {preset: 1}}
states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}
contacts: {grip: {names: [sticks, slips], kind: friction, gap: v, release: most - t, stays: most > t}}
flow: {x: 0 if grip else v, v: 0 if grip else t - most}
""", "plate": """
states: {z: {preset: 0}, w: {preset: -1, rate_of: z}, y: {preset: 0}, u: {preset: 0, rate_of: y}}
contacts:
  plate: {names: [hit, off], gap: z, closes: {z: 0, w: 0 if rests else -w / 2}, stays: rests}
  shelf: {names: [laid, lifted], gap: y, release: 2 - t, closes: {y: 0, u: 0 if rests else -u}, stays: rests}
flow: {z: 0 if plate else w, w: 0 if plate else -1, y: 0 if shelf else u, u: 0 if shelf else 1}
""", "sign": """
states: {x: {preset: 0.5}, v: {preset: 0}}
contacts: {side: {names: [left, right], kind: surface, gap: v}}
flow: {x: v, v: -x - (0.2 if side else 0)}
"""}

# Energies with rigid contacts, written as mass, load and contacts: a pushed block sticks and slides and is thrown up at an end of its floor; a sledge on two points slides
# until it lies still; a ball in a corner; one that two surfaces hold at once and a soft pad throws back; a block on soft rough ground
# that a hammer strikes while it sticks; one that is kicked into its floor, and turned.
MECHANICS = {
    "block": """
parameters: {mu: {preset: 0.4}, F: {preset: 6}}
coordinates: {x: {preset: 0, rate: v}, z: {preset: 0, rate: u}}
kinetic: (v^2 + u^2) / 2
potential: 9.81 * z
forces: {x: F * sin(3 * t), z: "12 * max(0, sin(2 * t))"}
contacts: {floor: {names: [lands, lifts], gap: z, law: {rigid: {restitution: 0.3}}, friction: {names: [sticks, slips], along: x, mu: mu, static: 1.25 * mu}}}
""", "sledge": """
coordinates: {x: {preset: 0, rate: {name: v, preset: 2}}, z: {preset: 0.3, rate: w}, th: {preset: 0.1, rate: u}}
kinetic: (v^2 + w^2) / 2 + u^2 / 50
potential: 9.81 * z
contacts:
  rear: {names: [rear lands, rear lifts], gap: z - 0.2 * sin(th) - 0.1 * cos(th), law: {rigid: {restitution: 0.3}},
         friction: {names: [rear sticks, rear slides], along: x - 0.2 * cos(th) + 0.1 * sin(th), mu: 0.4}}
  front: {names: [front lands, front lifts], gap: z + 0.2 * sin(th) - 0.1 * cos(th), law: {rigid: {restitution: 0.3}},
          friction: {names: [front sticks, front slides], along: x + 0.2 * cos(th) + 0.1 * sin(th), mu: 0.4}}
""", "corner": """
coordinates: {x: {preset: 1, rate: {name: v, preset: -0.5}}, z: {preset: 1, rate: u}}
kinetic: (v^2 + v * u / 2 + u^2) / 2
potential: 9.81 * z + 4 * x
contacts:
  floor: {names: [hits floor, leaves floor], gap: z - x / 8, law: {rigid: {restitution: 0.5}}}
  wall: {names: [hits wall, leaves wall], gap: x, law: {rigid: {restitution: 0.4}}}
""", "pad": """
coordinates: {x: {preset: 0, rate: {name: v, preset: 1}}, z: {preset: 0.5, rate: u}}
kinetic: (v^2 + u^2) / 2
potential: 9.81 * z
contacts:
  floor: {names: [lands, lifts], gap: z, law: {rigid: {restitution: 0.5}}, friction: {names: [sticks, slips], along: x, mu: 0.1}}
  plate: {names: [hits, leaves], gap: z, law: {rigid: {restitution: 0.5}}, friction: {names: [grips, slides], along: x, mu: 0.1}}
  pad: {names: [pressed, free], gap: 0.2 - x, law: {compliant: {k: 100, c: 1}}}
""", "hammer": """
coordinates: {x: {preset: 0, rate: {name: v, preset: 0.6}}, z: {preset: 0, rate: w}, p: {preset: 0.3, rate: u}}
kinetic: (v^2 + w^2) / 2 + v * w / 10 + u^2 / 4
potential: 9.81 * z + 10 * p^2
forces: {x: "5 * sin(3 * t)"}
contacts:
  floor: {names: [presses, lifts], gap: z, law: {compliant: {k: 200, c: 4}}, friction: {names: [sticks, slips], along: x, mu: 0.4, static: 0.5}}
  hammer: {names: [hits, leaves], gap: p - x + 0.05, law: {rigid: {restitution: 0.6}}}
""", "kicks": """
coordinates: {x: {preset: 0, rate: {name: v, preset: 3}}, z: {preset: 0.2, rate: w}}
kinetic: (v^2 + w^2) / 2
potential: 9.81 * z
contacts:
  floor: {names: [lands, lifts], gap: z, law: {rigid: {restitution: 0.1}}, friction: {names: [sticks, slips], along: x, mu: 0.2}}
  kick: {names: [struck, clear], kind: surface, gap: 1.2 - x, closes: {v: 1.5 * v, w: w - 1}}
  mirror: {names: [turned, back], gap: 2 - x, closes: {v: -v, w: w + 1.5}, stays: false}
"""}

# A box that lands on the floor and on a belt: both of its points cannot stick.
BELT = """equations: 1
name: m-belt
watch: x
coordinates: {x: {preset: 0, rate: v}, z: {preset: 1.2, rate: w}, th: {preset: 0.4, rate: {name: u, preset: -3}}}
kinetic: (v^2 + w^2) / 2 + u^2 / 40
potential: 9.81 * z
forces: {x: "2 * sin(3 * t) - 0.4 * v"}
contacts:
  left: {names: [left lands, left lifts], gap: z - 0.3 * sin(th) - 0.2 * cos(th), law: {rigid: {restitution: 0}},
         friction: {names: [left sticks, left slides], along: x - 0.3 * cos(th) + 0.2 * sin(th), mu: 0.5}}
  right: {names: [right lands, right lifts], gap: z + 0.3 * sin(th) - 0.2 * cos(th), law: {rigid: {restitution: 0}},
          friction: {names: [right sticks, right slides], along: x + 0.3 * cos(th) + 0.2 * sin(th) - 0.1 * t, mu: 0.5}}
"""

# A ball that bounces ever lower onto a floor that nothing makes it stay on, and one that lies there.
UNHELD = """
states: {z: {preset: HEIGHT}, w: {preset: 0, rate_of: z}}
contacts: {floor: {names: [hit, off], gap: z, closes: {w: -w / 2}, stays: STAYS}}
flow: {z: w, w: -9.81}
"""

# A flow that changes at times; a contact without a law that comes to rest beside a rigid one.
REFUSED = {"pulse": """
states: {x: {preset: 0}}
flow: {x: "window(t, 1, 2)"}
""", "kept": """
coordinates: {x: {preset: 1, rate: v}}
kinetic: v^2 / 2
potential: x
contacts:
  c: {names: [a, b], gap: x, law: {rigid: {restitution: 0.5}}}
  d: {names: [e, f], gap: x + 1, closes: {v: 0 if rests else -v}}
"""}
