import { expect, test } from 'vitest';
import { otherRun } from '../support/other-run.ts';
import type { Json, Ways } from '../support/other-service.ts';
import { waitFor } from '../support/wait-for.ts';

type Change = (side: Json, name: 'buyQuote' | 'sellQuote') => Json;

/** A service that writes its trading quotes in another way. */
function quoting(change: (quote: Json) => Json, sides: Change = (side) => side): Ways {
  return {
    feed(message) {
      if (message.msgType !== 'TQ') return [message];
      const { buyQuote, sellQuote } = message;
      return [
        change({
          ...message,
          buyQuote: sides({ ...Object(buyQuote) }, 'buyQuote'),
          sellQuote: sides({ ...Object(sellQuote) }, 'sellQuote'),
        }),
      ];
    },
  };
}

const without = (message: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));

test.each<[string, Ways, RegExp]>([
  [
    'no price',
    quoting(
      (quote) => quote,
      (side) => without(side, ['price']),
    ),
    /lane btcusd@base:0\.01: a frame was refused: TQ: buyQuote\.price is not a positive number/,
  ],
  [
    'separators in its figures',
    quoting(
      (quote) => quote,
      (side) => ({ ...side, price: '61,800.50' }),
    ),
    /buyQuote\.price is not a positive number/,
  ],
  [
    'no fee at all',
    quoting(
      (quote) => without(quote, ['feePercentage']),
      (side) => without(side, ['feeInBaseCcy', 'feeInQuoteCcy']),
    ),
    /buyQuote says no fee/,
  ],
  [
    'an expiry without a zone',
    quoting((quote) => ({ ...quote, validUntil: String(quote.validUntil).replace('Z', '') })),
    /validUntil is not a time with a zone/,
  ],
])('does not trade on quotes with %s, and says which field', async (_what, ways, line) => {
  const run = await otherRun({ ways });
  try {
    await waitFor(() => run.notices.some((notice) => line.test(notice)) || undefined);
    expect(run.notices.filter((notice) => line.test(notice))).toHaveLength(1);
    expect(run.rows('SELECT 1 FROM orders')).toEqual([]);
  } finally {
    await run.stop();
  }
});
