import type { RouterCard } from "../../src/cards/index.ts";
import type { Library, Skill } from "../../src/model/index.ts";

/** A card with nothing but what is given. */
export function card(name: string, description: string, more: Partial<RouterCard["card"]> = {}): RouterCard {
  return { id: name, card: { name, description, triggers: [], notFor: [], ...more } };
}

export const shop: RouterCard[] = [
  card(
    "order-status",
    "Finds where an order is: tracking number, carrier, expected delivery day. Use when a customer asks about an order that is on its way.",
  ),
  card(
    "refund-policy",
    "Answers when and how a customer gets money back for returned goods. Do NOT use for exchanging an item for another size.",
  ),
  card("shipping-address", "Changes the delivery address of an order before it leaves the warehouse."),
  card("gift-cards", "Sells gift cards, checks the balance of a gift card and redeems gift card codes at checkout."),
];

export function libraryOf(cards: readonly RouterCard[], bodies: Record<string, string> = {}): Library {
  const skills = cards.map(
    ({ id, card: own, modelInvocable = true }): Skill => ({
      id,
      name: own.name,
      dir: `/library/${own.name}`,
      file: `/library/${own.name}/SKILL.md`,
      card: own,
      body: bodies[id] ?? "",
      frontmatter: {},
      modelInvocable,
      source: { kind: "skill", copies: [] },
      problems: [],
    }),
  );
  return { root: "/library", name: "library", skills, fingerprint: "test", problems: [] };
}
