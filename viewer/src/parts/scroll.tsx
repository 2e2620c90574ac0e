import type { ComponentChildren } from "preact";

/** What is wider or higher than there is room for; the arrow keys scroll it, too. */
export function Scroll({ label, tall = false, children }: { label: string; tall?: boolean; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse must be able to scroll.
    <section class={`scroll${tall ? " tall" : ""}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
