/** Says that an invariant does not hold. The first one stands. */
export type Violate = (invariant: string, what: string) => void;

/** An invariant that did not hold. */
export interface Violation {
  /** The number of an invariant of docs/faults.md, or a word of the simulator's own. */
  readonly invariant: string;
  readonly what: string;
  /** World time in milliseconds. */
  readonly at: number;
}
