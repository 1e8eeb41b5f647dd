// Opens the page: makes the surrogate and the explorer of what is embedded.

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
  return new Surrogate({
    fCost: meta.steps ? { tried, evaluations, steps: meta.steps, machine: meta.machine, lanes: meta.lanes, table: meta.table } : null,
    n: meta.kept,
    d: meta.columns.length,
    z: places,
    sample: samples,
    referenceError: reference,
    nPair: meta.pairs.length,
    tolerances: meta.tolerances,
    metric: meta.triangle,
    shape: meta.shape,
    offLine: meta.between,
    orders: meta.orders,
    widths: meta.widths,
    presets: meta.presets,
    lnError: Float64Array.from(errors, (e) => (e < Infinity ? Math.log(Math.max(e, 1e-16)) : NaN)),
    stopped: [...errors.keys()].filter((i) => errors[i] === Infinity),
    done: Float64Array.from(works),
  });
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
