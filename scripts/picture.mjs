// Draws what `npm start` prints as docs/first-run.svg, the picture in the README. Run it after the screen has changed: npm run picture
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const width = 146;
const { stdout } = spawnSync(process.execPath, ["dist/cli/main.js", "run", "examples/shop", "--no-cache"], {
  encoding: "utf8",
  env: { ...process.env, FORCE_COLOR: "1", COLUMNS: String(width), PROCTOR_WIDTH: String(width) },
});
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

const lines = `$ npm start\n\n${stdout.replaceAll(process.cwd(), ".")}`.trimEnd().split("\n");
const [glyph, height, margin] = [8.03, 18, 20];
const rows = lines.map((line, index) => `<text x="${margin}" y="${margin + (index + 1) * height}">${spans(line)}</text>`);
const size = `${Math.ceil(width * glyph + 2 * margin)}" height="${lines.length * height + 2 * margin + 6}`;
writeFileSync(
  "docs/first-run.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" role="img" aria-label="What npm start prints">
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.3" fill="#adbac7" xml:space="preserve">
${rows.join("\n")}
</g>
</svg>
`,
);

/** ANSI colours of one line, as spans; each run of text is placed by its column, so that no font can push the table apart. */
function spans(line) {
  let style = { bold: false, dim: false, colour: undefined };
  let column = 0;
  let svg = "";
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      const text = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      const look = `${style.colour ? ` fill="${style.colour}"` : ""}${style.bold ? ' font-weight="700"' : ""}${style.dim ? ' opacity="0.6"' : ""}`;
      if (part !== "") svg += `<tspan x="${(20 + column * glyph).toFixed(1)}"${look}>${text}</tspan>`;
      column += [...part].length;
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
