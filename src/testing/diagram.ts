import { TestScheduler } from 'rxjs/testing';
import type { Millis } from '#domain/names.ts';

/** What each character of a diagram stands for. */
export type Values<T> = Readonly<Record<string, T>>;

/** A value at its time, in milliseconds since the beginning. */
export interface Mark<T> {
  readonly at: Millis;
  readonly value: T;
}

/** rxjs's own diagrams, half a second a character instead of a millisecond. */
class HalfSeconds extends TestScheduler {
  static override frameTimeFactor = 500;
}

/**
 * Reads a marble diagram of rxjs: a character is a value at its half second, `-` half a second without one, ` 30s ` a span,
 * `(ab)` several at once. `lengthMs` is how long the whole of it takes. Throws on a character that has no value.
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

/** What a diagram says, to be compared with signals: `expect(signalsOf(...)).toEqual(marbles('--a', { a: 'above' }))`. */
export function marbles<T>(text: string, values: Values<T>): readonly Mark<T>[] {
  return diagram(text, values).marks;
}
