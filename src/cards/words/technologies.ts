/**
 * Technologies that exclude each other: a prompt about Go is not for a skill about Python, however many other words
 * they share. Each line is one choice; blank lines separate the questions. General knowledge, not taken from any suite.
 */
const CHOICES = `
python pip pypi pytest django flask fastapi pandas numpy ruff mypy pyproject poetry conda jupyter
javascript typescript node nodejs npm pnpm yarn react vue angular svelte nextjs jest vitest express eslint webpack vite deno bun js ts tsx
go golang
rust rustc tokio
java kotlin maven gradle spring scala junit
csharp dotnet fsharp nuget blazor maui aspnet msbuild xunit roslyn
ruby rails rspec rubocop
php laravel symfony
swift swiftui xcode ios
cpp cmake
elixir phoenix erlang

aws amazon s3 ec2 cloudformation
azure
gcp bigquery

terraform hcl
pulumi
ansible

jenkins
circleci
gitlab
github
`;

/** The choices a text makes, by question. */
export type Sides = ReadonlyMap<number, ReadonlySet<number>>;

export function sidesOf(words: Iterable<string>): Sides {
  const sides = new Map<number, Set<number>>();
  for (const word of words) {
    const place = PLACES.get(word);
    if (place === undefined) continue;
    const chosen = sides.get(place.question) ?? new Set();
    sides.set(place.question, chosen.add(place.choice));
  }
  return sides;
}

export function hasSide(word: string): boolean {
  return PLACES.has(word);
}

/** True if both make choices on some question and share none of them. */
export function conflict(a: Sides, b: Sides): boolean {
  for (const [question, sides] of a) {
    const others = b.get(question);
    if (others !== undefined && ![...sides].some((side) => others.has(side))) return true;
  }
  return false;
}

const PLACES: ReadonlyMap<string, { question: number; choice: number }> = new Map(
  CHOICES.trim()
    .split("\n\n")
    .flatMap((choices, question) =>
      choices
        .split("\n")
        .flatMap((line, choice) =>
          line.split(" ").map((word): [string, { question: number; choice: number }] => [word, { question, choice }]),
        ),
    ),
);
