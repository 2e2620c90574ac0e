import { render } from "preact";
import { App } from "./app.tsx";
import { start } from "./data/source.ts";
import "./style.css";

const root = document.getElementById("app");
if (root !== null) {
  root.textContent = "";
  render(<App />, root);
  void start();
}
