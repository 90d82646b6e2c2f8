import type { Millis } from '#domain/names.ts';
import type { PastSignal } from '#domain/outside-signal.ts';
import type { View } from './contract.ts';
import type { Received } from './inputs.ts';

/** What strategies without an input from outside are shown. */
export const NO_SIGNALS: View['inputs'] = Object.freeze({});

/** A signal from outside as strategies see it at a time. */
export function receivedAt({ at, signal: { id, madeAt, value } }: PastSignal, now: Millis): Received<PastSignal['signal']['value']> {
  return Object.freeze({ value, at, age: now - at, madeAt, id });
}
