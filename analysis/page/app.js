// Opens the page: unpacks what is embedded, makes the reader and the explorer, and keeps the theme.

// Bytes of a deflated block of numbers, those of one kind before the next.
async function unpack(id, Kind) {
  const text = $(id).textContent.trim(),
    raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = Kind.BYTES_PER_ELEMENT,
    n = planes.length / size,
    bytes = new Uint8Array(planes.length);
  for (let b = 0; b < size; ++b) for (let k = 0; k < n; ++k) bytes[k * size + b] = planes[b * n + k];
  return new Kind(bytes.buffer);
}

async function openReader(meta) {
  const [places, samples, reference, errors, works] = await Promise.all([
    unpack("places", Float64Array),
    unpack("samples", Int32Array),
    unpack("reference", Float64Array),
    unpack("errors", Float32Array),
    unpack("works", Float32Array),
  ]);
  const [tried, evaluations] = meta.steps
    ? await Promise.all([unpack("tried", Float32Array), unpack("evaluations", Float32Array)])
    : [];
  return new Reader({
    price: meta.steps ? { tried, evaluations, steps: meta.steps, machine: meta.machine, lanes: meta.lanes, table: meta.table } : null,
    n: meta.kept,
    d: meta.columns.length,
    z: places,
    sample: samples,
    referenceError: reference,
    nPair: meta.pairs.length,
    tolerances: meta.tolerances,
    metric: meta.triangle,
    shape: meta.shape,
    widths: meta.widths,
    presets: meta.presets,
    lnError: Float64Array.from(errors, (e) => Math.log(Math.max(e, 1e-16))),
    lnWork: Float64Array.from(works, (w) => Math.log(w)),
  });
}

// Light or dark: as the system has it, until the button is used.
function useTheme(draw) {
  const dark = matchMedia("(prefers-color-scheme: dark)"),
    root = document.documentElement;
  let chosen = null;
  const apply = () => {
    root.dataset.theme = chosen || (dark.matches ? "dark" : "light");
    $("theme").textContent = root.dataset.theme === "dark" ? "light" : "dark";
    $("theme").setAttribute("aria-label", `switch to ${$("theme").textContent} colours`);
    draw();
  };
  dark.addEventListener("change", apply);
  $("theme").addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    apply();
  });
  $("theme").hidden = false;
  return apply;
}

async function begin() {
  let explorer = null;
  useTheme(() => explorer && explorer.draw())();
  if (!$("meta")) return;
  if (typeof DecompressionStream === "undefined")
    throw new Error("This browser is too old for the answer (it lacks DecompressionStream); one from 2023 on has it.");
  const meta = JSON.parse($("meta").textContent);
  explorer = new Explorer(meta, await openReader(meta));
  $("explorer").hidden = false;
  explorer.start();
  window.explorer = explorer;
  document.documentElement.dataset.ready = "yes";
}

begin().catch((why) => {
  $("trouble").textContent = `The answer cannot be shown: ${why.message}`;
  $("trouble").hidden = false;
  console.error(why);
});
