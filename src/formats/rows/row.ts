import type { MapNode, Node } from "../documents/index.ts";

/** A prompt with what its own keys and the blocks around it say. It becomes a trigger or a case. */
export interface Row {
  query: string;
  at: Node;
  map: MapNode;
  owner?: string;
  listLabel?: boolean;
  split?: string;
  tested: string[];
  list: string;
}
