import { TestScheduler } from 'rxjs/testing';
import type { Millis } from '#domain/names.ts';

/** The value of each character of a diagram. */
export type Values<T> = Readonly<Record<string, T>>;

/** A value at its time, in milliseconds since the beginning. */
export interface Mark<T> {
  readonly at: Millis;
  readonly value: T;
}

/** Marble diagrams of rxjs with half a second for each character. */
class HalfSeconds extends TestScheduler {
  static override frameTimeFactor = 500;
}

/**
 * Reads a marble diagram of rxjs: a character is a value at its half second, `-` half a second without one, ` 30s ` a
 * pause, `(ab)` several values at once. `lengthMs` is its total length. Throws on a character without a value.
 */
export function diagram<T>(text: string, values: Values<T>): { readonly marks: readonly Mark<T>[]; readonly lengthMs: Millis } {
  const known = new Map(Object.entries(values));
  const marks: Mark<T>[] = [];
  let lengthMs = 0;
  for (const { frame, notification } of HalfSeconds.parseMarbles(`${text}|`, undefined, undefined, false, true)) {
    lengthMs = frame;
    if (notification.kind !== 'N') continue;
    const value = known.get(String(notification.value));
    if (value === undefined) throw new RangeError(`diagram '${text}': nothing is said of '${String(notification.value)}'`);
    marks.push({ at: frame, value });
  }
  return { marks, lengthMs };
}

/** The values of a diagram, for comparison with signals: `expect(signalsOf(...)).toEqual(marbles('--a', { a: 'above' }))`. */
export function marbles<T>(text: string, values: Values<T>): readonly Mark<T>[] {
  return diagram(text, values).marks;
}
