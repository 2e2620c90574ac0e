import { describe, expect, test } from "vitest";
import { clausesOf } from "../../../src/targets/embedded/cards/clauses.ts";
import { createRouter } from "../../../src/targets/embedded/index.ts";

const HOTEL = /hotel/i;

describe("what a card excludes attracts nothing", () => {
  test.each([
    "Plans train trips. Not for hotel rooms.",
    "Plans train trips. Do NOT use for hotel rooms.",
    "Plans train trips. Don't use this when somebody wants a hotel room.",
    "Plans train trips. Never use it for hotel rooms.",
    "Plans train trips. Avoid for hotel rooms.",
    "Plans train trips. Skip when the user wants a hotel.",
    "Plans train trips. Excludes hotel rooms.",
    "Plans train trips. Excluding hotel rooms and rental cars.",
    "Plans train trips. Does NOT book hotel rooms.",
    "Plans train trips. Doesn't book hotel rooms.",
    "Plans train trips. Does not handle hotel rooms.",
    "Plans train trips. Cannot book hotel rooms.",
    "Plans train trips. Can't book hotel rooms.",
    "Plans train trips. Will not book hotel rooms.",
    "Plans train trips. Won't book hotel rooms.",
    "Plans train trips. Never books hotel rooms.",
    "Plans train trips; it never books hotel rooms.",
    "Plans train trips. This skill does not search for hotels.",
    "Plans train trips. It is not a hotel finder.",
    "Plans train trips. This isn't for hotels.",
    "Plans train trips. Must not be used to look for hotels.",
    "Plans train trips. Hotel rooms are out of scope.",
    "Plans train trips. Out of scope: hotel rooms.",
    "Plans train trips. Hotels are not supported.",
    "Plans train trips. Hotel rooms are outside its scope.",
    "Plans train trips. For hotel rooms use room-finder instead.",
    "Plans train trips. For hotel rooms, use the room finder instead.",
    "Plans train trips. For hotel rooms see `room-finder`.",
    "Plans train trips. For hotel rooms, prefer the room finder skill.",
    "Plans train trips. If a hotel is wanted, use room-finder instead.",
    "Plans train trips. Hotel rooms → room-finder.",
    "Plans train trips. Train delays → delay-desk; hotel rooms → room-finder",
    "Plans train trips. Hotel rooms belong to room-finder.",
    "Plans train trips. Hotel rooms are handled by room-finder.",
    "Plans train trips. Leave hotel rooms to room-finder.",
    "Plans trips of any kind, except hotel rooms.",
    "Plans every part of a trip except for the hotel.",
    "Plans train trips, not hotel stays.",
    "Plans train trips (not hotel stays).",
    "Plans train trips, but not hotel stays.",
    "Plans all of a trip with the exception of hotels.",
    "Plant Bahnreisen. Nicht für Hotels.",
    "Plans train trips. Use room-finder for hotel rooms.",
    "Plans train trips. Use `stays:room-finder` when the user wants a hotel room.",
    "Plans train trips. Use delay-desk for late trains; room-finder for hotel rooms.",
    "Plans train trips. Prefer the room-finder skill for hotel rooms.",
    "Plans train trips. If the user wants a hotel room, use room-finder.",
    "Plans train trips. Hotel rooms should go to room-finder.",
    "Plans train trips. Hotel rooms are handled elsewhere.",
    "Plans train trips. Hotel rooms are unsupported.",
    "Plans train trips. NOT hotel rooms.",
    "Plans train trips. No hotel rooms.",
    "Plans train trips. It's not about hotel rooms.",
    "Plans train trips. Not intended to book hotel rooms.",
    "Plans train trips. Not to be used for hotel rooms.",
    "Plans train trips. Not applicable to hotel rooms.",
    "Plans train trips. DO NOT TRIGGER when: the user wants a hotel room.",
    "Plans train trips. TRIGGER when: the user names a station. DO NOT TRIGGER when: the user wants a hotel room.",
    "Plans train trips. SKIP: hotel rooms.",
    "Plans train trips. Non-goals: hotel rooms.",
    "Plans train trips. Anti-triggers: hotel rooms.",
  ])("%s", (description) => {
    const { positive, negative } = clausesOf(description, "trip-planner");
    expect(positive.filter((clause) => HOTEL.test(clause))).toEqual([]);
    expect(negative.some((clause) => HOTEL.test(clause))).toBe(true);
    expect(positive.length).toBeGreaterThan(0);
  });
});

describe("what only sounds like an exclusion still attracts", () => {
  test.each([
    "Books hotel rooms. Trigger even when the user does not say the word hotel.",
    "Use when the hotel does not answer.",
    "Use when the confirmation is missing; cannot reach the hotel.",
    'Use for complaints such as "the hotel can\'t find my booking".',
    "Books not only flights but also hotel rooms.",
    "Handles exceptions to the rules of hotel bookings.",
    "Books hotel rooms for up to nine guests.",
    "search → compare → book the hotel",
    "Does not book flights, but finds a hotel.",
    "For business trips, finds a hotel near the office.",
    "Use trip-planner for hotel rooms.",
    "Use `travel:trip-planner` when the user wants a hotel room.",
    "Use this skill when a hotel room is wanted.",
    "Use price-alerts to watch hotel rooms.",
    "TRIGGER when: the user wants a hotel room.",
    "Use when: not sure which hotel to take; no hotel has answered.",
    "No hotel without a look at its reviews.",
    "Lists what a hotel does not cover.",
    "Finds a hotel for trips that the office does not handle.",
  ])("%s", (description) => {
    expect(clausesOf(description, "trip-planner").positive.some((clause) => HOTEL.test(clause))).toBe(true);
  });
});

test.each([
  "Does NOT book hotel rooms.",
  "For hotel rooms use room-finder instead.",
  "Hotel rooms are out of scope.",
  "Except hotel rooms.",
])('"%s" lowers the score of what it excludes', (exclusion) => {
  const card = (name: string, description: string) => ({ id: name, card: { name, description, triggers: [], notFor: [] } });
  const others = [card("delay-desk", "Says why a train is late and what the passenger is owed."), card("packing", "Writes packing lists.")];
  const scoreWith = (description: string) => {
    const router = createRouter([card("trips", description), ...others]);
    return router.scores("Book a hotel room in Graz for two nights").find(({ skill }) => skill === "trips")?.score ?? 0;
  };
  expect(scoreWith(`Plans trips by train and books the seats. ${exclusion}`)).toBeLessThan(
    scoreWith("Plans trips by train and books the seats."),
  );
});
