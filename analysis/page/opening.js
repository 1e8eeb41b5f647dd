// Start of every page: unpacks the numbers, sets the theme.

const $ = (id) => document.getElementById(id);

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
