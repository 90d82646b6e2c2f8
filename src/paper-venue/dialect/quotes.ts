import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type {
  BookLevelMessage,
  FullQuoteMessage,
  QuoteSideMessage,
  TradingQuoteMessage,
} from '#adapters/service-client/quotes/messages.ts';
import { decimalOf } from '#domain/decimal.ts';
import { currencyIn, productIn } from './codes.ts';

type MessageFields = Record<string, unknown>;

/** A trading quote in the dialect's form; `id` replaces its own if ids are kept. */
export function tradingQuoteIn(dialect: Dialect, quote: TradingQuoteMessage, id: string | undefined): MessageFields {
  const { avgQuote, spread, spreadPercentage, dailyChangePercentage, feePercentage, validUntil } = quote;
  return {
    msgType: 'TQ',
    ...(id !== undefined && { id }),
    productCode: productIn(dialect, quote.productCode),
    baseCcy: currencyIn(dialect, quote.baseCcy),
    quoteCcy: currencyIn(dialect, quote.quoteCcy),
    buyQuote: sideIn(dialect, netOf(dialect, quote.buyQuote), 1),
    sellQuote: sideIn(dialect, quote.sellQuote, -1),
    ...shownIn(dialect, { avgQuote, spread, dailyChangePercentage }),
    feePercentage: figureIn(dialect, feePercentage),
    spreadPercentage: figureIn(dialect, spreadIn(dialect, spreadPercentage)),
    validUntil: validityIn(dialect, validUntil),
  };
}

/** A full quote in the dialect's form. */
export function fullQuoteIn(dialect: Dialect, quote: FullQuoteMessage): MessageFields {
  const level = ({ price, size }: BookLevelMessage): unknown => {
    if (dialect.levels === 'level-pairs') return [price, size];
    return dialect.levels === 'level-texts' ? { price: String(price), size: String(size) } : { price, size };
  };
  return { ...named(dialect, quote), bids: quote.bids.map(level), asks: quote.asks.map(level) };
}

/** Product and currencies in the dialect's spelling. */
export function named<Message extends { productCode: string; baseCcy: string; quoteCcy: string }>(
  dialect: Dialect,
  message: Message,
): Message {
  return {
    ...message,
    productCode: productIn(dialect, message.productCode),
    baseCcy: currencyIn(dialect, message.baseCcy),
    quoteCcy: currencyIn(dialect, message.quoteCcy),
  };
}

/** The size of a buy if it is quoted net of its fee. */
export function netSize({ size, feeInBaseCcy }: QuoteSideMessage): number {
  return decimalOf(size).minus(feeInBaseCcy).toNumber();
}

function netOf({ quoteSize }: Dialect, side: QuoteSideMessage): QuoteSideMessage {
  return quoteSize === 'net-size' ? { ...side, size: netSize(side) } : side;
}

function sideIn(dialect: Dialect, side: QuoteSideMessage, sign: 1 | -1): MessageFields {
  const { slippage, slippagePercentage, feeInQuoteCcy } = side;
  const isPlain = dialect.quoteValue === 'quote-value-plain';
  const value = isPlain ? side.value : decimalOf(side.value).plus(decimalOf(feeInQuoteCcy).times(sign)).toNumber();
  return {
    price: figureIn(dialect, side.price),
    size: figureIn(dialect, inDoubles(dialect, side.size)),
    value: figureIn(dialect, inDoubles(dialect, value)),
    ...feesIn(dialect, side),
    ...shownIn(dialect, { slippage, slippagePercentage }),
  };
}

function feesIn(dialect: Dialect, { feeInBaseCcy, feeInQuoteCcy }: QuoteSideMessage): MessageFields {
  const base = { feeInBaseCcy: figureIn(dialect, feeInBaseCcy) };
  const quote = { feeInQuoteCcy: figureIn(dialect, feeInQuoteCcy) };
  switch (dialect.quoteFees) {
    case 'both-fees':
      return { ...base, ...quote };
    case 'quote-fee-alone':
      return quote;
    case 'null-base-fee':
      return { feeInBaseCcy: null, ...quote };
    case 'base-fee-alone':
      return base;
    case 'zero-quote-fee':
      return { ...base, feeInQuoteCcy: figureIn(dialect, 0) };
  }
}

function shownIn({ display }: Dialect, fields: MessageFields): MessageFields {
  if (display === 'display-figures') return fields;
  if (display === 'no-display-figures') return {};
  return Object.fromEntries(Object.keys(fields).map((name) => [name, display === 'null-display-figures' ? null : '0.12 %']));
}

function figureIn({ figures }: Dialect, figure: number): number | string {
  switch (figures) {
    case 'number-figures':
    case 'double-figures':
      return figure;
    case 'text-figures':
      return decimalOf(figure).toString();
    case 'exponent-figures':
      return figure.toExponential();
    case 'comma-figures':
      return figure.toLocaleString('en-US', { maximumFractionDigits: 8 });
  }
}

/** Figures with the rounding error of a sum of doubles. */
function inDoubles({ figures }: Dialect, figure: number): number {
  return figures === 'double-figures' ? figure * (1 + Number.EPSILON) : figure;
}

function spreadIn({ spread }: Dialect, percent: number): number {
  if (spread === 'spread-zero') return 0;
  return spread === 'spread-as-fraction' ? percent / 100 : percent;
}

const TWO_HOURS_MS = 7_200_000;

function validityIn({ validity }: Dialect, time: string): string | number {
  switch (validity) {
    case 'validity-in-millis':
      return time;
    case 'validity-in-nanos':
      return time.replace('Z', '000000Z');
    case 'validity-in-seconds':
      return time.replace(/\.\d+Z$/, 'Z');
    case 'validity-with-offset':
      return new Date(Date.parse(time) + TWO_HOURS_MS).toISOString().replace('Z', '+02:00');
    case 'validity-as-number':
      return Date.parse(time);
    case 'validity-without-zone':
      return time.replace('Z', '');
  }
}
