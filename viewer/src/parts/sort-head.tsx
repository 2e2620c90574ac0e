import { here } from "../data/route.ts";

export function SortHead({
  name,
  now,
  class: style = "",
  children,
}: {
  name: string;
  now: string;
  class?: string;
  children: preact.ComponentChildren;
}) {
  const isDown = now === name;
  const isUp = now === `-${name}`;
  return (
    <th scope="col" class={style} aria-sort={isDown ? "ascending" : isUp ? "descending" : "none"}>
      <a class="sort" href={here({ sort: isDown ? `-${name}` : name })}>
        {children}
        <span aria-hidden="true">{isDown ? " ↓" : isUp ? " ↑" : ""}</span>
      </a>
    </th>
  );
}
