/**
 * How the client meets a reading of what the specification leaves open. `trades`: without any setting, and its books are the
 * service's. `set`: it trades so at the latest with the settings that `set` names; before, it may stand still, and one line names them.
 * `stands`: nothing on the wire tells the truth, so it may stand still for good; one line says what it met.
 */
export type Meeting = 'trades' | 'set' | 'stands';

/** One way in which a service may read a place that the specification leaves open. */
export interface Reading {
  /** What the service does then. */
  readonly does: string;
  readonly client: Meeting;
  /**
   * Settings that name it to the client, as `--set` takes them; none where the client can tell by itself. `{status}` stands for the
   * HTTP status of an executed order's answer.
   */
  readonly set: Readonly<Record<string, string>>;
}

/** A place that the specification leaves open. Its first reading is the paper venue's own. */
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

/** A reading that the client takes as it comes. */
export function trades(does: string): Reading {
  return { does, client: 'trades', set: {} };
}

/** A reading that these settings name where the client cannot tell it by itself. */
export function named(does: string, set: Readonly<Record<string, string>>): Reading {
  return { does, client: 'set', set };
}

/** A reading that does not say what the client needs to know. */
export function stands(does: string): Reading {
  return { does, client: 'stands', set: {} };
}
