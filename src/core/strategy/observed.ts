import type { Millis } from '#domain/names.ts';
import type { StrategyCall } from '#domain/strategy-call.ts';
import type { View } from './contract.ts';
import { cutText, journaled, keptValue, MAX_SHORT_TEXT } from './kept-text.ts';
import type { StrategyAnswer } from './strategy-answer.ts';

/** Names that one strategy may give. */
const MAX_NAMES = 100;

/** Values by the names that a strategy gave them, in the order of their first. Names are few: looking through them is quickest. */
export class ObservedValues {
  /** Names are only added to the list: who keeps it with their count keeps those that there were. */
  private names: string[] = [];
  private readonly latest: unknown[] = [];

  set(name: string, value: unknown): void {
    const { names, latest } = this;
    for (let place = 0; place < names.length; place++) {
      if (names[place] !== name) continue;
      latest[place] = value;
      return;
    }
    if (names.length >= MAX_NAMES)
      throw new RangeError(`observe: more than ${MAX_NAMES} names; the next is '${cutText(name, MAX_SHORT_TEXT)}'`);
    names.push(name);
    latest.push(value);
  }

  clear(): void {
    this.names = [];
    this.latest.length = 0;
  }

  /** As they stand, in plain data of bounded size. */
  values(): Readonly<Record<string, unknown>> {
    return keptValues(this.names, this.latest);
  }

  /** Copies the values as they stand to `values`, and returns their names. What a strategy could change later is copied whole. */
  copyTo(values: unknown[]): readonly string[] {
    const { names, latest } = this;
    values.length = names.length;
    for (let place = 0; place < names.length; place++) {
      const value = latest[place];
      values[place] = typeof value === 'object' ? keptValue(value) : value;
    }
    return names;
  }
}

function keptValues(names: readonly string[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(values.map((value, place) => [cutText(names[place] ?? '', MAX_SHORT_TEXT), keptValue(value)]));
}

/** What a strategy was asked last, and its answer: for people who ask why there was no order. Written at each `decide`, so it is cheap. */
export class LastAsk {
  private at: Millis | undefined;
  private signal: unknown;
  private position = 0;
  private said: StrategyCall['said'] = 'threw';
  /** The values that it had named then, written again and again and seldom read. */
  private readonly values: unknown[] = [];
  private names: readonly string[] = [];

  /** It is being asked; until `answered` it counts as having thrown. */
  begin(signal: unknown, { now, position }: View, observed: ObservedValues): void {
    this.at = now;
    this.signal = typeof signal === 'object' ? journaled(signal) : signal;
    this.position = position.size;
    this.said = 'threw';
    this.names = observed.copyTo(this.values);
  }

  /** What it returned; something that nobody can act on counts as an error. */
  answered({ kind }: StrategyAnswer): void {
    if (kind !== 'bad') this.said = kind === 'intents' ? 'intent' : kind === 'nan' ? 'nothing' : kind;
  }

  /** Undefined until it was asked once. */
  read(): StrategyCall | undefined {
    const { at, position, names, values, said } = this;
    if (at === undefined) return undefined;
    return { at, signal: journaled(this.signal), position, observed: keptValues(names, values), said };
  }
}
