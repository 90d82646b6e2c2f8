/** A reader of what comes from outside, as the fuzzer meets it. */
export interface FuzzTarget {
  readonly name: string;
  /** What it is to hold. */
  readonly holds: string;
  /** Inputs to begin with, valid ones among them. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words of its format. */
  readonly words?: readonly string[];
  /** Bytes of the longest input; 4,096 unless given. */
  readonly most?: number;
  /** Throws where the property is broken. */
  check(input: Buffer): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** Throws with what was broken. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken: ${what}`);
}

/** Throws unless `text` is one line that can be shown. */
export function mustBeLine(text: string, most = 2_000): void {
  must(text.length > 0 && text.length <= most, `a message of ${text.length} characters`);
  must(!/[\p{Cc}\u2028\u2029]/u.test(text), `a message that is not one line: ${JSON.stringify(text.slice(0, 300))}`);
}
