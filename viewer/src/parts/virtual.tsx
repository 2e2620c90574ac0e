import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props<T> {
  items: readonly T[];
  /** The height of every row. */
  height: number;
  head: ComponentChildren;
  row(item: T, at: number): ComponentChildren;
  label: string;
  class?: string;
  columns: number;
}

/** A real table that holds only the rows in sight: tens of thousands stay smooth. It scrolls with the page. */
export function VirtualTable<T>({ items, height, head, row, label, columns, class: name = "" }: Props<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [[first, last], setRange] = useState<[number, number]>([0, 40]);
  useEffect(() => {
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / height) - 12);
      const to = Math.ceil((innerHeight - top) / height) + 12;
      setRange(([a, b]) => (a === from && b === to ? [a, b] : [from, to]));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [height, items]);
  // A printed page has no scrolling: it gets as many rows as are worth the paper.
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const before = () => setPrinted(true);
    const after = () => setPrinted(false);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  const start = isPrinted ? 0 : Math.min(first, Math.max(0, items.length - 1));
  const end = isPrinted ? Math.min(items.length, 500) : Math.min(items.length, Math.max(last, start + 1));
  const below = items.length - end;
  return (
    <table class={`virtual ${name}`} aria-rowcount={items.length + 1} aria-label={label}>
      <thead>{head}</thead>
      <tbody ref={body}>
        {start > 0 && (
          <tr class="space">
            <td colSpan={columns} style={{ height: `${start * height}px` }} />
          </tr>
        )}
        {items.slice(start, end).map((item, at) => row(item, start + at))}
        {below > 0 && (
          <tr class="space">
            <td colSpan={columns} style={{ height: `${below * height}px` }} />
          </tr>
        )}
      </tbody>
    </table>
  );
}
