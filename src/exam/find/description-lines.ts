import { relativePosix } from "../../base/index.ts";
import { discover } from "./discovery/discover.ts";
import { placeIn } from "./place.ts";

export async function descriptionLines(root: string): Promise<Map<string, { file: string; line?: number }>> {
  const { libraries } = await discover({ cwd: root, root });
  return new Map(
    libraries.flatMap(({ skills }) =>
      skills.map(({ id, file, reading }) => {
        const place = reading?.fields.get("description")?.value;
        const line = reading && place ? placeIn(reading.text, file, place).line : undefined;
        return [id, { file: relativePosix(root, file), line }] as const;
      }),
    ),
  );
}
