import { cutText, keptValue, MAX_SHORT_TEXT } from './kept-text.ts';

/** Names that one strategy may give. */
const MAX_NAMES = 100;

/** Values by the names that a strategy gave them, in the order of their first. Names are few: looking through them is quickest. */
export class Observed {
  private readonly names: string[] = [];
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
    this.names.length = 0;
    this.latest.length = 0;
  }

  /** As they stand, in plain data of bounded size. */
  values(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.names.map((name, place) => [cutText(name, MAX_SHORT_TEXT), keptValue(this.latest[place])]));
  }
}
