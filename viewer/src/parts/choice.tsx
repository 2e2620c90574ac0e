import { go, here, param } from "../data/route.ts";

interface ChoiceProps {
  name: string;
  label: string;
  values: [string, string][];
  /** Label for no choice; null if the first value is the default. */
  any?: string | null;
}

/** A choice kept in the address. */
export function Choice({ name, label, values, any = "any" }: ChoiceProps) {
  return (
    <label class={`choice${param(name) === "" ? "" : " set"}`}>
      <span>{label}</span>
      <select
        value={param(name) || (any === null ? values[0]?.[0] : "")}
        onChange={(event) => go(here({ [name]: event.currentTarget.value }))}
      >
        {any !== null && <option value="">{any}</option>}
        {values.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A switch kept in the address. */
export function Toggle({ name, children }: { name: string; children: preact.ComponentChildren }) {
  const isOn = param(name) !== "";
  return (
    <button
      type="button"
      class={`toggle${isOn ? " set" : ""}`}
      aria-pressed={isOn}
      onClick={() => go(here({ [name]: isOn ? undefined : "yes" }))}
    >
      {children}
    </button>
  );
}
