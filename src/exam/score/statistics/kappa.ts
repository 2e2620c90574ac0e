/** Two raters' answers to the same yes-or-no questions. */
export interface TwoByTwo {
  bothYes: number;
  onlyFirst: number;
  onlySecond: number;
  bothNo: number;
}

/**
 * Cohen's kappa (1960): agreement beyond what the raters' own frequencies would give by chance. null without answers, or where chance
 * alone already gives full agreement (both always say the same).
 */
export function cohenKappa({ bothYes, onlyFirst, onlySecond, bothNo }: TwoByTwo): number | null {
  const n = bothYes + onlyFirst + onlySecond + bothNo;
  if (n === 0) return null;
  const observed = (bothYes + bothNo) / n;
  const chance =
    ((bothYes + onlyFirst) * (bothYes + onlySecond) + (onlySecond + bothNo) * (onlyFirst + bothNo)) / (n * n);
  return chance >= 1 ? null : (observed - chance) / (1 - chance);
}
