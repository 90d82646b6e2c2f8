import { type Seeded, seeded } from '#domain/seeded.ts';

/** Draws of all kinds from one sequence, seeded by a text. */
export class Draws {
  private readonly text: string;
  private readonly sequence: Seeded;

  constructor(text: string) {
    this.text = text;
    this.sequence = seeded(text);
  }

  /** An independent sequence, whose draws do not affect others. */
  fork(name: string): Draws {
    return new Draws(`${this.text}/${name}`);
  }

  /** In [0, 1). */
  next(): number {
    return this.sequence.next();
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A number from `least` up to `most`. */
  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** The same items in another order. */
  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  uuid(): string {
    const digits = (count: number): string => {
      let text = '';
      while (text.length < count)
        text += Math.floor(this.next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0');
      return text.slice(0, count);
    };
    return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
  }
}
