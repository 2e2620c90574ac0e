import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { number } from "./words.ts";

interface Props<T> {
  items: readonly T[];
  /** Height of every row, in pixels. */
  height: number;
  head: ComponentChildren;
  row(item: T, at: number): ComponentChildren;
  label: string;
  class?: string;
}

/** Rows kept beyond those in sight, and added at a time, so that most scroll steps draw nothing. */
const BEYOND = 6;
const STEP = 6;
/** Up to this many rows are all drawn, so that the browser's search finds them. */
const FEW = 80;
/** A printed page cannot scroll, so it gets this many rows. */
const MOST_PRINTED = 500;

/** A table that draws only the rows in sight and scrolls with the page, smooth with tens of thousands of rows. */
export function VirtualTable<T>({ items, height, head, row, label, class: name = "" }: Props<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [[first, last], setRange] = useState<[number, number]>(() => rowsInSight(0, height));
  useLayoutEffect(() => {
    const look = () => {
      const [from, to] = rowsInSight(-(body.current?.getBoundingClientRect().top ?? 0), height);
      setRange((now) => (now[0] === from && now[1] === to ? now : [from, to]));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [height, items]);
  const isPrinted = usePrinted();
  const isFew = items.length <= FEW;
  const start = isPrinted || isFew ? 0 : Math.min(first, Math.max(0, items.length - 1));
  const end = isFew ? items.length : Math.min(items.length, isPrinted ? MOST_PRINTED : Math.max(last, start + 1));
  const below = items.length - end;
  return (
    <table class={`virtual ${name}`} aria-rowcount={items.length + 1} aria-label={label}>
      <thead>{head}</thead>
      <tbody ref={body}>
        <Space key="above" height={isPrinted ? 0 : start * height} />
        {items.slice(start, end).map((item, at) => row(item, start + at))}
        <Space key="below" height={isPrinted ? 0 : below * height} />
      </tbody>
      {isPrinted && below > 0 && <caption>{`${number(below)} more are not printed.`}</caption>}
    </table>
  );
}

/** A single cell, because more would bring back columns hidden on narrow screens. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr class="space">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}

function rowsInSight(below: number, height: number): [number, number] {
  const from = Math.floor(below / height) - BEYOND;
  const to = Math.ceil((below + innerHeight) / height) + BEYOND;
  return [Math.max(0, Math.floor(from / STEP) * STEP), Math.max(1, Math.ceil(to / STEP) * STEP)];
}

function usePrinted(): boolean {
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
  return isPrinted;
}
