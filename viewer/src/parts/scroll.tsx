import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ScrollProps {
  label: string;
  tall?: boolean;
  /** Starts scrolled to the right end. */
  atEnd?: boolean;
  children: ComponentChildren;
}

/** A scrollable box, also by arrow keys. */
export function Scroll({ label, tall = false, atEnd = false, children }: ScrollProps) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (atEnd && section.current !== null) section.current.scrollLeft = section.current.scrollWidth;
  }, [atEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse must be able to scroll.
    <section ref={section} class={`scroll${tall ? " tall" : ""}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
