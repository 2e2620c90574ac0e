// Builds viewer/ into one file, dist/page.html: the page without data. It ships; its sources and what they are built with do not.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const viewer = fileURLToPath(new URL("../viewer", import.meta.url));

export async function buildViewer(file) {
  const built = await build({
    root: viewer,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: `${viewer}/src/main.tsx` },
    },
  });
  const { output } = Array.isArray(built) ? built[0] : built;
  const scripts = output.filter(({ type }) => type === "chunk");
  const styles = output.filter(({ type, fileName }) => type === "asset" && fileName.endsWith(".css"));
  if (scripts.length !== 1 || styles.length !== 1)
    throw new Error("viewer/ must build into one script and one style sheet");
  // A closing tag inside a string of the script would end it.
  const script = scripts[0].code.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const style = String(styles[0].source).trim();
  const page = readFileSync(`${viewer}/page.html`, "utf8")
    .replace("%SCRIPT_HASH%", () => hash(script))
    .replace("%STYLE_HASH%", () => hash(style))
    .replace("%STYLE%", () => style)
    .replace("%SCRIPT%", () => script);
  writeFileSync(file, page);
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer("dist/page.html");
