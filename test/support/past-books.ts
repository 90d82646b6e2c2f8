import { type BookedFill, BooksSoFar, type PastBooks } from '#domain/past-books.ts';

/** The books that result from fills in journal order. */
export function booksOf(fills: Iterable<BookedFill>): PastBooks {
  const books = new BooksSoFar();
  for (const fill of fills) books.add(fill);
  return books.text();
}
