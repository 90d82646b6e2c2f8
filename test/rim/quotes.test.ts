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
const each = (message: Json, names: readonly string[], to: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(message).map(([name, value]) => [name, names.includes(name) ? to(value) : value]));

const DISPLAY = ['dailyChangePercentage', 'spread', 'spreadPercentage', 'avgQuote'];
const SIDE_DISPLAY = ['slippage', 'slippagePercentage'];
const FIGURES = ['price', 'size', 'value', 'feeInBaseCcy', 'feeInQuoteCcy'];

test.each<[string, Ways]>([
  [
    'leaves the display fields out',
    quoting(
      (quote) => without(quote, DISPLAY),
      (side) => without(side, SIDE_DISPLAY),
    ),
  ],
  [
    'writes null for them',
    quoting(
      (quote) => each(quote, DISPLAY, () => null),
      (side) => each(side, SIDE_DISPLAY, () => null),
    ),
  ],
  [
    'writes words for them',
    quoting(
      (quote) => each(quote, DISPLAY, () => '0.1 %'),
      (side) => each(side, SIDE_DISPLAY, (value) => `${value} %`),
    ),
  ],
  [
    'says the fee in quote currency alone',
    quoting(
      (quote) => quote,
      (side) => without(side, ['feeInBaseCcy']),
    ),
  ],
  [
    'says the fee in base currency alone',
    quoting(
      (quote) => quote,
      (side) => without(side, ['feeInQuoteCcy']),
    ),
  ],
  [
    'writes figures as texts',
    quoting(
      (quote) => quote,
      (side) => each(side, FIGURES, String),
    ),
  ],
  [
    'writes figures with an exponent',
    quoting(
      (quote) => quote,
      (side) => each(side, FIGURES, (value) => Number(value).toExponential()),
    ),
  ],
  [
    "has a double's last digit in its sizes",
    quoting(
      (quote) => quote,
      (side) => ({ ...side, size: Number(side.size) * (1 + 2 ** -52) }),
    ),
  ],
  ['says the expiry as a number', quoting((quote) => ({ ...quote, validUntil: Date.parse(String(quote.validUntil)) }))],
])('trades beside a service that %s, and the books are equal', async (_what, ways) => {
  const run = await otherRun({ ways });
  try {
    expect(await run.trades(4), run.notices.join('\n')).toBe(true);
    const { ledger, venue } = await run.books();
    expect(ledger).toEqual(venue);
  } finally {
    await run.stop();
  }
});

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

test('one id may stay for some quotes: the newest price counts, a used id is used', async () => {
  let kept: unknown;
  let count = 0;
  const run = await otherRun({
    ways: quoting((quote) => {
      // The id of the newest quote of each three, so that the venue knows what an order names.
      count += 1;
      if (count % 3 === 1) kept = quote.id;
      return { ...quote, id: kept };
    }),
  });
  try {
    expect(await run.trades(4), run.notices.join('\n')).toBe(true);
    const ids = run.rows<{ quote_id: string }>('SELECT quote_id FROM orders').map((row) => row.quote_id);
    expect(new Set(ids).size).toBe(ids.length);
  } finally {
    await run.stop();
  }
});
