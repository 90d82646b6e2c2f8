import { ema, fullBook, imbalance, observe, param, strategy, towards } from 'kairos/strategy';

/** Long while the order book's average bid size is clearly larger than its ask size; flat once the ask size is larger. */
export default strategy({
  name: 'book-imbalance',
  params: {
    depth: param.int(5, { min: 1, max: 100 }),
    books: param.int(20, { min: 1, sweep: [10, 60, 10] }),
    enter: param.number(0.2, { min: 0, max: 1, sweep: [0.1, 0.5, 0.1] }),
  },
  inputs: { book: fullBook() },
  // Books come as often as quotes; the first may come before its quote.
  warmup: ({ books }) => ({ quotes: books + 1 }),
  signals: ({ inputs }, { depth, books }) => inputs.book.pipe(imbalance(depth), ema(books), observe('imbalance')),
  decide: (share, view, { enter }) => {
    if (share >= enter) return towards('long', view, { reason: 'bids outweigh asks' });
    return share < 0 ? towards('flat', view, { reason: 'asks outweigh bids' }) : undefined;
  },
});
