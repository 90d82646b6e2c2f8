import type { Millis } from './names.ts';

/** A strategy when it was last asked. */
export interface StrategyCall {
  readonly at: Millis;
  /** In the form of the journal. */
  readonly signal: unknown;
  /** What it held, in base currency. */
  readonly position: number;
  /** Values that it had named, as they stood then. */
  readonly observed: Readonly<Record<string, unknown>>;
  /** Its answer: nothing, a hold, an intent, or an error. */
  readonly said: 'nothing' | 'hold' | 'intent' | 'threw';
}
