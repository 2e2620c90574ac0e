// Draws what `npm start` prints as docs/first-run.svg, the picture in the README: node scripts/picture.mjs. With --check it only says whether the
// picture is what is printed now, as CI does.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const picture = "docs/first-run.svg";
const width = 100;
// In a folder of its own, where nothing was run before.
const folder = mkdtempSync(join(tmpdir(), "proctor-picture-"));
cpSync("examples/shop", join(folder, "examples/shop"), {
  recursive: true,
  filter: (file) => !file.includes(".proctor"),
});
const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("dist/cli/main.js"), "run", "examples/shop"], {
  cwd: folder,
  encoding: "utf8",
  // Whoever else is on this machine would be proposed for the next step.
  env: {
    PATH: "",
    HOME: folder,
    FORCE_COLOR: "1",
    COLUMNS: String(width),
    ...Object.fromEntries(
      ["OLLAMA", "LMSTUDIO", "LLAMACPP"].map((server) => [`${server}_BASE_URL`, "http://127.0.0.1:9/v1"]),
    ),
  },
});
rmSync(folder, { recursive: true });
if (status !== 0) throw new Error(stderr);
const colours = {
  31: "#f47067",
  32: "#6bc46d",
  33: "#daaa3f",
  34: "#6cb6ff",
  35: "#dcbdfb",
  36: "#76e3ea",
  90: "#768390",
  91: "#f47067",
  92: "#6bc46d",
  93: "#daaa3f",
};

// Time and day differ from run to run.
const same = stdout.replace(/[\d.]+ s, (\S+), run [\d-]+-\w+/, "0.1 s, $1, run 2026-11-16-a");
const lines = `$ npm start\n\n${same}`.trimEnd().split("\n");
const [glyph, height, margin] = [8.03, 18, 20];
const rows = lines.map(
  (line, index) => `<text x="${margin}" y="${margin + (index + 1) * height}">${spans(line)}</text>`,
);
const size = `${Math.ceil(width * glyph + 2 * margin)}" height="${lines.length * height + 2 * margin + 6}`;
const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" role="img" aria-label="What npm start prints">
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.3" fill="#adbac7" xml:space="preserve">
${rows.join("\n")}
</g>
</svg>
`;
if (!process.argv.includes("--check")) writeFileSync(picture, drawn);
else if (readFileSync(picture, "utf8") !== drawn) {
  console.error(`${picture} is not what is printed now: node scripts/picture.mjs draws it anew.`);
  process.exitCode = 1;
}

/** ANSI colours of one line, as spans; each run of text is placed by its column, so that no font can push the table apart. */
function spans(line) {
  let style = { bold: false, dim: false, colour: undefined };
  let column = 0;
  let svg = "";
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      const look = `${style.colour ? ` fill="${style.colour}"` : ""}${style.bold ? ' font-weight="700"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
      // Viewers differ in what they make of several spaces: what follows them is placed anew.
      for (const piece of part.split(/( {2,})/)) {
        const text = piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
        if (piece.trim() !== "") svg += `<tspan x="${(20 + column * glyph).toFixed(1)}"${look}>${text}</tspan>`;
        column += [...piece].length;
      }
      continue;
    }
    for (const code of codes.split(";").map(Number)) {
      if (code === 0) style = { bold: false, dim: false, colour: undefined };
      else if (code === 1) style = { ...style, bold: true };
      else if (code === 2) style = { ...style, dim: true };
      else if (code === 22) style = { ...style, bold: false, dim: false };
      else if (code === 39) style = { ...style, colour: undefined };
      else if (colours[code]) style = { ...style, colour: colours[code] };
    }
  }
  return svg;
}
