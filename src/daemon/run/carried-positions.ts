import type { Settings } from '#config/settings.ts';
import { type BookPosition, orphansAmong } from '#daemon/operations/orphans.ts';
import { priceText } from '#domain/money-text.ts';
import type { PastBooks } from '#domain/past-books.ts';
import { entryOf, positionOf } from '#domain/position.ts';

/** The open positions of earlier runs in one line; undefined for none. Positions without a configured strategy have lines of their own. */
export function carriedText({ books }: Pick<PastBooks, 'books'>, strategies: Settings['strategies']): string | undefined {
  const texts = books.flatMap(({ strategy: book, product, ...text }) => {
    const { size } = text;
    const entry = entryOf(positionOf(text).lots);
    const held: BookPosition = { book, product, size };
    if (entry === undefined || orphansAmong([held], strategies).length > 0) return [];
    return `${book} holds ${size} ${product}, ${size.startsWith('-') ? 'sold' : 'bought'} at ${priceText(entry.toNumber())}`;
  });
  return texts.length === 0 ? undefined : `from before: ${texts.join('; ')}`;
}
