// Vectors and matrices here all have the size of the fit: `!` only tells the compiler so.

/** A sum over weighted observations: adds its gradient and Hessian at `at` to the given arrays. */
export type Loss = (at: readonly number[], gradient: number[], hessian: number[][]) => void;

/** Minimises a convex loss with a ridge penalty by damped Newton steps. The last `free` coordinates are not penalised. */
export function minimise(
  size: number,
  loss: Loss,
  { ridge, free = 0, steps = 25 }: { ridge: number; free?: number; steps?: number },
): number[] {
  const at = new Array<number>(size).fill(0);
  for (let step = 0; step < steps; step++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = gradient.map(() => new Array<number>(size).fill(0));
    loss(at, gradient, hessian);
    for (let i = 0; i < size; i++) {
      const own = i < size - free ? ridge : 1e-9;
      gradient[i]! += own * at[i]!;
      hessian[i]![i]! += own;
    }
    const move = solve(hessian, gradient);
    const longest = Math.max(...move.map(Math.abs));
    const damping = longest > 2 ? 2 / longest : 1;
    for (let i = 0; i < size; i++) at[i]! -= damping * move[i]!;
    if (longest < 1e-7) break;
  }
  return at;
}

export interface Observation {
  weight: number;
  features: number[];
  positive: boolean;
}

/** Logistic regression; the last coefficient is the bias. */
export function logistic(observations: readonly Observation[], ridge: number): number[] {
  const size = observations[0]!.features.length + 1;
  const total = observations.reduce((sum, { weight }) => sum + weight, 0);
  return minimise(
    size,
    (at, gradient, hessian) => {
      for (const { weight, features, positive } of observations) {
        const x = [...features, 1];
        const p = 1 / (1 + Math.exp(-dot(at, x)));
        const share = weight / total;
        addOuter(hessian, x, x, share * Math.max(1e-6, p * (1 - p)));
        for (let i = 0; i < size; i++) gradient[i]! += share * (p - (positive ? 1 : 0)) * x[i]!;
      }
    },
    { ridge, free: 1 },
  );
}

export interface Choice {
  weight: number;
  /** One row per alternative. */
  features: number[][];
  chosen: number;
}

/** Conditional logit: weights under which the chosen alternatives are the most likely ones. */
export function conditionalLogit(choices: readonly Choice[], ridge: number): number[] {
  const size = choices[0]!.features[0]!.length;
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  return minimise(
    size,
    (at, gradient, hessian) => {
      for (const { weight, features, chosen } of choices) {
        const utilities = features.map((x) => dot(at, x));
        const top = Math.max(...utilities);
        const odds = utilities.map((utility) => Math.exp(utility - top));
        const sum = odds.reduce((a, b) => a + b, 0);
        const mean = new Array<number>(size).fill(0);
        const share = weight / total;
        features.forEach((x, i) => {
          const p = odds[i]! / sum;
          if (p < 1e-6) return;
          for (let k = 0; k < size; k++) mean[k]! += p * x[k]!;
          addOuter(hessian, x, x, share * p);
        });
        addOuter(hessian, mean, mean, -share);
        for (let k = 0; k < size; k++) gradient[k]! += share * (mean[k]! - features[chosen]![k]!);
      }
    },
    { ridge },
  );
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addOuter(matrix: number[][], a: readonly number[], b: readonly number[], factor: number): void {
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) matrix[i]![j]! += factor * a[i]! * b[j]!;
}

/** Gauss-Jordan with pivoting. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let k = column; k <= size; k++) rows[row]![k]! -= factor * rows[column]![k]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}
