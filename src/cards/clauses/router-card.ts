import type { Card } from "../../model/index.ts";

/** A skill as the router sees it. */
export interface RouterCard {
  id: string;
  card: Card;
  /** False when no model may activate it on its own, only a command in the prompt. Defaults to true. */
  modelInvocable?: boolean;
}
