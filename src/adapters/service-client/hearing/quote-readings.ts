import { serviceTimeMs } from '#adapters/service-client/clock/service-time.ts';
import type { ReadingName } from '#adapters/service-client/dialect/dialect.ts';
import { figureIn, hasFeeInValue } from '#adapters/service-client/figures.ts';
import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import type { Amount } from '#domain/lane.ts';
import { heard, type ObservedReading } from './heard.ts';
import type { HeardLane } from './listen.ts';

/** A trading quote as received, with the requested amount. */
interface SeenQuote {
  readonly message: Fields;
  readonly buy: Fields;
  readonly sell: Fields;
  readonly amount: Amount | null;
}

/** The readings of quotes, by all that were heard (spec 2.8). Pure. */
export function quoteReadings(lanes: readonly HeardLane[]): readonly ObservedReading[] {
  const byConnection = lanes.flatMap(({ connections, amount }) =>
    connections.map(({ frames }) => frames.flatMap(({ message }) => seenQuote(message, amount))),
  );
  const quotes = byConnection.flat();
  const [first] = quotes;
  if (!first) return [];
  const { message } = first;
  return [
    ...caseOf('currencies', message.quoteCcy),
    ...caseOf('products', message.productCode),
    figures(quotes),
    display(first),
    ...spread(quotes),
    quoteFees(first),
    ...quoteSize(quotes),
    ...quoteValue(quotes),
    ...ids(byConnection),
    validity(message.validUntil),
  ];
}

function seenQuote(message: Fields, amount: Amount | null): SeenQuote[] {
  const { buyQuote: buy, sellQuote: sell } = message;
  return message.msgType === 'TQ' && isFields(buy) && isFields(sell) ? [{ message, buy, sell, amount }] : [];
}

function caseOf(point: 'currencies' | 'products', code: unknown): ObservedReading[] {
  if (typeof code !== 'string' || !/[a-z]/i.test(code)) return [];
  if (code === code.toLowerCase()) return [heard(point, point === 'currencies' ? 'lower-currencies' : 'lower-products', code)];
  if (code === code.toUpperCase()) return [heard(point, point === 'currencies' ? 'upper-currencies' : 'upper-products', code)];
  return [heard(point, point === 'currencies' ? 'title-currencies' : null, code)];
}

const FIGURES = ['price', 'size', 'value'] as const;

function figures(quotes: readonly SeenQuote[]): ObservedReading {
  const values = quotes.flatMap(({ buy, sell }) => [buy, sell].flatMap((side) => FIGURES.map((name) => side[name])));
  const told = (value: unknown) => value !== undefined && value !== null;
  const found = (reading: ReadingName | null, matching: (value: unknown) => boolean): ObservedReading[] => {
    const value = values.find((one) => told(one) && matching(one));
    return value === undefined ? [] : [heard('figures', reading, JSON.stringify(value))];
  };
  const text = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
  return (
    [
      ...found('comma-figures', text(/^-?\d{1,3}(,\d{3})+(\.\d+)?$/)),
      ...found(null, (value) => Number.isNaN(figureIn(value))),
      ...found('exponent-figures', text(/e/i)),
      ...found('text-figures', text(/./)),
      ...found('double-figures', (value) => figureIn(value) !== value),
    ][0] ?? heard('figures', 'number-figures', JSON.stringify(values.find(told)))
  );
}

const DISPLAY = ['dailyChangePercentage', 'spread', 'avgQuote'] as const;

function display({ message, buy }: SeenQuote): ObservedReading {
  const values = [...DISPLAY.map((name) => message[name]), buy.slippage, buy.slippagePercentage];
  if (values.every((value) => value === undefined)) return heard('display', 'no-display-figures', 'absent');
  if (values.some((value) => value === null)) return heard('display', 'null-display-figures', 'null');
  const text = values.find((value) => typeof value === 'string' && Number.isNaN(figureIn(value)));
  return text === undefined
    ? heard('display', 'display-figures', 'numbers')
    : heard('display', 'text-display-figures', JSON.stringify(text));
}

/** Tolerance between a quote's own percentage and the computed one, for its rounding. */
const NEAR = 0.1;

function spread(quotes: readonly SeenQuote[]): ObservedReading[] {
  const apart = quotes.flatMap(({ message, buy, sell }) => {
    const [ask, bid, said] = [figureIn(buy.price), figureIn(sell.price), figureIn(message.spreadPercentage)];
    const percent = ((ask - bid) / ((ask + bid) / 2)) * 100;
    return percent > 0 && !Number.isNaN(said) ? [{ percent, said }] : [];
  });
  const widest = apart.sort((a, b) => b.percent - a.percent)[0];
  if (!widest) return [];
  const { percent, said } = widest;
  const shown = `${said}, and the prices are ${percent.toPrecision(3)} % apart`;
  const is = (share: number) => Math.abs(said - share) <= Math.abs(share) * NEAR;
  const reading = said === 0 ? 'spread-zero' : is(percent) ? 'spread-in-percent' : is(percent / 100) ? 'spread-as-fraction' : null;
  // Kairos computes the spread from the two prices, whatever the field says.
  return reading === null ? [] : [heard('spread', reading, shown)];
}

function quoteFees({ message, buy }: SeenQuote): ObservedReading {
  const { feeInBaseCcy: base, feeInQuoteCcy: quote } = buy;
  const shown = `feeInBaseCcy ${JSON.stringify(base) ?? 'absent'}, feeInQuoteCcy ${JSON.stringify(quote) ?? 'absent'}`;
  const isTaken = figureIn(base) > 0 || figureIn(message.feePercentage) > 0;
  if (figureIn(quote) === 0 && isTaken) return heard('quoteFees', 'zero-quote-fee', shown);
  if (base === null) return heard('quoteFees', 'null-base-fee', shown);
  if (base === undefined) return heard('quoteFees', 'quote-fee-alone', shown);
  if (quote === undefined || quote === null) return heard('quoteFees', 'base-fee-alone', shown);
  return heard('quoteFees', 'both-fees', shown);
}

function quoteSize(quotes: readonly SeenQuote[]): ObservedReading[] {
  for (const { message, buy, amount } of quotes) {
    if (amount === null || !('base' in amount)) continue;
    const [asked, size] = [amount.base.toNumber(), figureIn(buy.size)];
    const told = buy.feeInBaseCcy === null ? Number.NaN : figureIn(buy.feeInBaseCcy);
    const fee = Number.isNaN(told) ? (asked * figureIn(message.feePercentage)) / 100 : told;
    if (Math.abs(size - asked) <= asked * 1e-9) return [heard('quoteSize', 'whole-size', `asked for ${asked}, quoted ${size}`)];
    const isNet = Math.abs(asked - fee - size) <= asked * 1e-6;
    if (size > 0) return [heard('quoteSize', isNet ? 'net-size' : null, `asked for ${asked}, quoted ${size}`)];
  }
  return [];
}

function quoteValue(quotes: readonly SeenQuote[]): ObservedReading[] {
  const found = quotes.flatMap(({ buy, sell }) => {
    const sides = [figuresOf(buy, true), figuresOf(sell, false)];
    if (!sides.every(({ value, fee }) => value > 0 && fee > 0)) return [];
    const reading = sides.every(hasFeeInValue) ? 'quote-value-with-fee' : 'quote-value-plain';
    return [heard('quoteValue', reading, sides.map(({ value, fee }) => `value ${value}, fee ${fee}`).join('; '))];
  });
  return found.slice(0, 1);
}

const figuresOf = ({ price, size, value, feeInQuoteCcy }: Fields, isBuy: boolean) => ({
  price: figureIn(price),
  size: figureIn(size),
  value: figureIn(value),
  fee: figureIn(feeInQuoteCcy),
  isBuy,
});

function ids(byConnection: readonly (readonly SeenQuote[])[]): ObservedReading[] {
  let seen = 0;
  for (const quotes of byConnection) {
    const prices = new Map<string, unknown>();
    for (const { message, buy } of quotes) {
      if (typeof message.id !== 'string') continue;
      seen += 1;
      if (prices.has(message.id)) return [heard('ids', 'kept-ids', `${message.id} stayed for more than one quote`)];
      prices.set(message.id, buy.price);
    }
  }
  return seen < 2 ? [] : [heard('ids', 'new-ids', `${seen} quotes, ${seen} ids`)];
}

function validity(until: unknown): ObservedReading {
  const shown = JSON.stringify(until) ?? 'absent';
  if (typeof until === 'number') return heard('validity', 'validity-as-number', shown);
  if (typeof until !== 'string') return heard('validity', null, shown);
  if (/T[\d:.]+$/.test(until)) return heard('validity', 'validity-without-zone', shown);
  if (Number.isNaN(serviceTimeMs(until))) return heard('validity', null, shown);
  if (!until.endsWith('Z')) return heard('validity', 'validity-with-offset', shown);
  const digits = /\.(\d+)Z$/.exec(until)?.[1]?.length ?? 0;
  return heard('validity', digits === 0 ? 'validity-in-seconds' : digits > 3 ? 'validity-in-nanos' : 'validity-in-millis', shown);
}
