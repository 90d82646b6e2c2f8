/** A source of signals from outside. */
export interface SignalView {
  readonly source: string;
  /** When its last signal came, and how long ago that is. */
  readonly at: string | null;
  readonly ageMs: number | null;
  readonly id: string | null;
  readonly value: Readonly<Record<string, number | string | boolean>>;
  /** True where it has been silent for longer than its `staleAfter`. */
  readonly isStale: boolean;
  /** In this run, by cause. */
  readonly refused: Readonly<Record<string, number>>;
}
