/** Reports a broken invariant. The first one counts. */
export type Violate = (invariant: string, what: string) => void;

/** A broken invariant. */
export interface Violation {
  /** The number of an invariant of docs/invariants.md, or a word of the simulator's own. */
  readonly invariant: string;
  readonly what: string;
  /** World time in milliseconds. */
  readonly at: number;
}
