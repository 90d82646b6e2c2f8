/**
 * How the client meets a reading of an open point. `trades`: it trades without any setting, with correct books. `set`:
 * it may stop until the settings in `set` are given, which one line names. `stands`: the wire does not show the truth,
 * so it may stop for good, and one line says why.
 */
export type ReadingSupport = 'trades' | 'set' | 'stands';

/** One way in which a service may read an open point of the specification. */
export interface Reading {
  readonly does: string;
  readonly client: ReadingSupport;
  /**
   * Settings that name it to the client, in the form of `--set`; none if the client detects it. `{status}` stands for
   * the HTTP status of an executed order's answer.
   */
  readonly set: Readonly<Record<string, string>>;
}

/** A point that the specification leaves open. Its first reading is the paper venue's own. */
export interface DialectPoint {
  /** Section of the specification. */
  readonly spec: string;
  /** What is left open. */
  readonly open: string;
  readonly readings: Readonly<Record<string, Reading>>;
}

export function point<const Readings extends Readonly<Record<string, Reading>>>(spec: string, open: string, readings: Readings) {
  return { spec, open, readings };
}

/** A reading with which the client trades without any setting. */
export function trades(does: string): Reading {
  return { does, client: 'trades', set: {} };
}

/** A reading that these settings name if the client cannot detect it. */
export function named(does: string, set: Readonly<Record<string, string>>): Reading {
  return { does, client: 'set', set };
}

/** A reading that hides what the client needs to know. */
export function stands(does: string): Reading {
  return { does, client: 'stands', set: {} };
}
