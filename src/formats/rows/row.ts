import type { MapNode, Node } from "../documents/index.ts";

/** A prompt in a suite file, with what its own keys and the blocks around it say. It becomes a trigger or a case. */
export interface Row {
  query: string;
  at: Node;
  /** Its keys; none where the prompt is a bare text. */
  map: MapNode;
  /** The skill under test, where the file names it: in the row, or in a block around it. */
  owner?: string;
  /** Whether the list's own key (`should_trigger`, `negatives`) says that the skill should be activated. */
  listLabel?: boolean;
  split?: string;
  tested: string[];
  /** The normalised key of the list it is in. */
  list: string;
}
