import type { Asked } from '#domain/asked.ts';
import type { Millis } from '#domain/names.ts';
import type { View } from './contract.ts';
import type { Decided } from './decided.ts';
import { journaled } from './journaled.ts';
import { type Observed, ObservedThen } from './observed.ts';

/** What a strategy was asked last, and its answer: for people who ask why there was no order. Written at each `decide`, so it is cheap. */
export class LastAsk {
  private at: Millis | undefined;
  private signal: unknown;
  private position = 0;
  private said: Asked['said'] = 'threw';
  private readonly observed = new ObservedThen();

  /** It is being asked; until `answered` it counts as having thrown. */
  take(signal: unknown, { now, position }: View, observed: Observed): void {
    this.at = now;
    this.signal = typeof signal === 'object' ? journaled(signal) : signal;
    this.position = position.size;
    this.said = 'threw';
    this.observed.take(observed);
  }

  /** What it returned; something that nobody can act on counts as an error. */
  answered({ kind }: Decided): void {
    if (kind !== 'bad') this.said = kind === 'intents' ? 'intent' : kind === 'nan' ? 'nothing' : kind;
  }

  /** Undefined until it was asked once. */
  read(): Asked | undefined {
    const { at, position, said } = this;
    if (at === undefined) return undefined;
    return { at, signal: journaled(this.signal), position, observed: this.observed.values(), said };
  }
}
