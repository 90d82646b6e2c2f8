import { named, point, stands, trades } from './point.ts';

/** What the specification leaves open about names, quotes and the feed (spec 2.6 to 2.8, 4.5). */
export const FEED_POINTS = {
  currencies: point('2.8 baseCcy', 'how a currency code is written; codes differ by case alone in no service', {
    'lower-currencies': trades('btc, usd'),
    'upper-currencies': trades('BTC, USD: in quotes, answers and balances'),
    'title-currencies': trades('Btc, Usd: in quotes, answers and balances'),
  }),
  products: point('2.6 productCode', 'how a product code is written', {
    'lower-products': trades('btcusd'),
    'upper-products': trades('BTCUSD in lists and quotes; a request may write it in any case'),
    'upper-products-only': trades('BTCUSD in lists and quotes; a request that writes it otherwise is refused'),
  }),
  figures: point('2.8 TQ', 'how the figures of a quote are written', {
    'number-figures': trades('JSON numbers of at most eight decimals'),
    'text-figures': trades('texts: "61800.5"'),
    'exponent-figures': trades('texts with an exponent: "6.18005e+4"'),
    'double-figures': trades("JSON numbers with a double's last digit: 0.010000000000000002"),
    'comma-figures': stands('texts with separators of thousands: "61,800.50"'),
  }),
  display: point('2.8 TQ', 'what stands in fields for display: dailyChangePercentage, spread, slippage, slippagePercentage, avgQuote', {
    'display-figures': trades('numbers'),
    'no-display-figures': trades('they are absent'),
    'null-display-figures': trades('null'),
    'text-display-figures': trades('texts: "0.12 %"'),
  }),
  spread: point('2.8 spreadPercentage', 'what spreadPercentage counts; the spread itself is the distance of the two prices', {
    'spread-in-percent': trades('percent of the mid: 2 for 2 %'),
    'spread-as-fraction': trades('a share of the mid: 0.02 for 2 %'),
    'spread-zero': trades('always 0'),
  }),
  quoteFees: point('2.8 feeInBaseCcy, feeInQuoteCcy', 'whether both expressions of the fee are there', {
    'both-fees': trades('both, of one fee'),
    'quote-fee-alone': trades('feeInBaseCcy is absent'),
    'null-base-fee': trades('feeInBaseCcy is null'),
    'base-fee-alone': trades('feeInQuoteCcy is absent'),
    'zero-quote-fee': stands('feeInQuoteCcy is 0, though the fee is taken'),
  }),
  quoteSize: point('2.8 size', 'what the size of a buy is', {
    'whole-size': trades('what was asked for; the fee comes on top'),
    'net-size': stands('what was asked for less the fee in base currency, which is not taken again'),
  }),
  quoteValue: point('2.8 value', 'what the value of a quote is', {
    'quote-value-plain': trades('size times price'),
    'quote-value-with-fee': trades('what would be paid or received: size times price, with the fee in it'),
  }),
  ids: point('2.8 id', 'for how many quotes an id is valid', {
    'new-ids': trades('each quote has its own'),
    'kept-ids': trades('some quotes in a row share one id while the price moves; an order is executed at the latest of them'),
  }),
  validity: point('2.8 validUntil', 'how the time is written', {
    'validity-in-millis': trades('2026-01-01T00:00:03.250Z'),
    'validity-in-nanos': trades('with nine fraction digits'),
    'validity-in-seconds': trades('without a fraction, rounded down'),
    'validity-with-offset': trades('with an offset: 2026-01-01T02:00:03.250+02:00'),
    'validity-as-number': trades('Unix time in milliseconds, as a number'),
    'validity-without-zone': stands('without a zone: nothing says in which one'),
  }),
  acks: point('2.8 ACK', 'when an ACK comes, and what it echoes', {
    'ack-at-once': trades('before the first quote; amounts as numbers, null where there is none'),
    'ack-late': trades('0.8 s after the first quotes'),
    'ack-unasked': trades('again every second, without a request'),
    'ack-zero': trades('the amount that was not given is echoed as 0'),
    'ack-texts': trades('amounts are echoed as texts'),
    'ack-without-user': trades('without userId and config'),
    'ack-missing': stands('none'),
  }),
  maintenance: point('2.8 ERR', 'whether a good request may get ERR', {
    'no-maintenance': trades('never'),
    'maintenance-at-start': trades('every request of the first seconds gets ERR'),
    'maintenance-by-turns': trades('in half a second of every three, requests get ERR and connections are closed with 1012'),
  }),
  connections: point('4.5', 'how many connections a user may have', {
    'many-connections': trades('as many as it opens'),
    'one-connection': named('one: a newer one closes the older', { 'lanes.max': '1', 'lanes.reserve': '0' }),
  }),
  levels: point('2.8 FQ', 'how the levels of a full quote are written', {
    'level-objects': trades('{price, size}'),
    'level-pairs': trades('[price, size]'),
    'level-texts': trades('{price, size} as texts'),
  }),
} as const;
