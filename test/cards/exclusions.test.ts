import { describe, expect, test } from "vitest";
import { clausesOf } from "../../src/cards/clauses/clauses.ts";
import { createRouter } from "../../src/cards/index.ts";

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
    "Plans train trips. Negative triggers: hotel rooms.",
    "Plans train trips. Negative examples: 'find me a hotel'.",
    "Plans train trips. Exclusions: hotel rooms.",
    "Plans train trips. Exclude hotel rooms.",
    "Plans train trips. Not covered: hotel rooms.",
    "Plans train trips. Limitations: hotel rooms are a different matter.",
    "Plans train trips. Unsuitable for hotel rooms.",
    "Plans train trips. Avoid using this for hotel rooms.",
    "Plans train trips. Never for hotel rooms.",
    "Plans train trips. Nothing to do with hotel rooms.",
    "Plans train trips. Unrelated to hotel rooms.",
    "Plans train trips. The wrong skill for hotel rooms.",
    "Plans train trips. Unlike room-finder, which looks for hotels.",
    "Plans train trips. Distinct from looking for hotels (room-finder).",
    "Plans any part of a trip; anything but hotels.",
    "Plans every part of a trip, everything but the hotel.",
    "Plans train trips. Other than hotel rooms.",
    "Plans train trips. Another skill handles hotel rooms.",
    "Plans train trips. Use a different skill for hotel rooms.",
    "Plans train trips. `room-finder` handles hotel rooms.",
    "Plans train trips (room-finder owns hotel rooms).",
    "Plans train trips. Route hotel rooms to room-finder.",
    "Plans train trips. Refuse and route elsewhere for hotel rooms, taxis and visas.",
    "Plans train trips. Route taxis, visas and hotel rooms elsewhere.",
    "Plans train trips. Taxis, visas and hotel rooms route elsewhere.",
    "Plans train trips. Hand hotel rooms off to room-finder.",
    "Plans train trips. Delegates hotel rooms to room-finder.",
    "Plans train trips. Looking for a hotel? Use room-finder.",
    "Plans train trips. A hotel? See `room-finder`.",
    "Plans train trips. Hotel rooms: use room-finder.",
    "Plans train trips. Hotel rooms: not supported.",
    "Plans train trips. Hotels excluded.",
    "Plans train trips. Hotel rooms are excluded.",
    "Plans train trips. Hotel rooms are a job for room-finder.",
    "Plans train trips. Hotel rooms are somebody else's job.",
    "Plans train trips. Hotel rooms should be sent to room-finder.",
    "Plans train trips. Hotel requests go to another skill.",
    "Plans train trips. Please use room-finder for hotel rooms.",
    "Plans train trips, does not book hotels.",
    "Plans train trips, cannot book hotels.",
    "Plans train trips, no hotels, and rail passes.",
    "Plans train trips, for hotel rooms use room-finder.",
    "Plans train trips (does not book hotels).",
    "Plans train trips (hotel rooms are out of scope).",
    "Plans train trips (no hotels), and rail passes.",
    "Plans train trips:\n- Does not book hotels",
    "Plans train trips:\n- For hotel rooms, use room-finder",
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
    "Plans trips (no flights), and finds a hotel.",
    "Plans trips, no flights, and finds a hotel.",
    "Plans trips (trains, no flights), then finds a hotel.",
    "Routes a request for a hotel to the right desk.",
    "Hands the hotel voucher to the guest.",
    "Use when the phone is dead, cannot reach the hotel.",
    "Every hotel is different: finds one by its reviews.",
  ])("%s", (description) => {
    expect(clausesOf(description, "trip-planner").positive.some((clause) => HOTEL.test(clause))).toBe(true);
  });
});

const card = (name: string, description: string) => ({
  id: name,
  card: { name, description, triggers: [], notFor: [] },
});
const others = [
  card("delay-desk", "Says why a train is late and what the passenger is owed."),
  card("packing", "Writes packing lists."),
];

function routed(description: string, prompt: string) {
  const { ranking } = createRouter([card("trips", description), ...others]).route(prompt);
  return ranking.find(({ skill }) => skill === "trips") ?? { score: 0, verdict: "silent" };
}

describe("an exclusion lowers the score of what it excludes", () => {
  const claim = "Plans trips by train and books the seats";
  test.each([
    "Does NOT book hotel rooms.",
    "For hotel rooms use room-finder instead.",
    "Hotel rooms are out of scope.",
    "Except hotel rooms.",
    "Not for hotel rooms.",
    "Not for hotels.",
    "Another skill handles hotel rooms.",
    "Route hotel rooms elsewhere.",
  ])("%s", (exclusion) => {
    for (const between of [". ", "; ", " — ", "\n\n", "\n- "]) {
      for (const prompt of [
        "Book a hotel room in Graz for two nights",
        "Book seats on the train to Graz and a hotel",
      ]) {
        expect(routed(`${claim}${between}${exclusion}`, prompt).score, prompt).toBeLessThan(
          routed(`${claim}.`, prompt).score,
        );
      }
    }
  });
});

describe("a prompt about what the card excludes", () => {
  const claim = "Scans bills: reads the total, the date and the tax from a photo of a bill.";

  test.each([
    ["Read the total and the date from this photo of a parking ticket", "silent"],
    ["Scan this photo of a bill and read the total, the date and the tax of the parking ticket", "uncertain"],
  ])("does not surely activate the skill, however much else it shares with the card: %s", (prompt, verdict) => {
    expect(routed(claim, prompt).verdict).toBe("fires");
    expect(routed(`${claim} Not for parking tickets.`, prompt).verdict).toBe(verdict);
  });

  test("is not kept from it by one word of many", () => {
    const long = "Read the total, the date and the tax from the photo of this bill, which I scanned in the parking lot";
    expect(routed(`${claim} Not for parking tickets.`, long).verdict).toBe("fires");
  });
});
