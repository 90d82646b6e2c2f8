/** One measured number. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
}

/** Kairos beside what it is held against, in one run. */
export interface Ratio {
  readonly what: string;
  readonly ours: Figure;
  readonly theirs: Figure;
  /** `ours` by `theirs`. */
  readonly ratio: number;
  /** Null where `docs/performance.md` sets no goal. */
  readonly goal: Goal | null;
  readonly met: boolean | null;
}

/** What the ratio should be. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

export interface BenchResult {
  readonly name: string;
  readonly ratios: readonly Ratio[];
  /** Figures without another side. */
  readonly figures: readonly Figure[];
}

export function ratioOf(what: string, sides: { readonly ours: Figure; readonly theirs: Figure; readonly goal?: Goal }): Ratio {
  const { ours, theirs, goal = null } = sides;
  const ratio = ours.value / theirs.value;
  return { what, ours, theirs, ratio, goal, met: goal === null ? null : 'atMost' in goal ? ratio <= goal.atMost : ratio >= goal.atLeast };
}
