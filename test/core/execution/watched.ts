import { type ExitRules, Exits } from '#core/execution/exits.ts';
import { Books } from '#core/portfolio/books.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { currency } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { Journaled } from '../../support/journaled.ts';
import { BTC, btcProduct, quote } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';

export const NO_EXITS: ExitRules = {
  takeProfitPct: null,
  stopLossPct: null,
  trailingPct: null,
  activateAtPct: null,
  maxHoldSeconds: null,
  net: false,
};

/** When the position of `watched` was opened, at 100. */
export const OPENED = 1000;

/** A quote at the price at which the position could be closed: the other side is worse by a half. */
export interface Closing {
  readonly price: number;
  /** Half a second after the one before where it is not said. */
  readonly at?: number;
  /** In percent. */
  readonly fee?: number;
}

export interface Holding {
  readonly isShort?: boolean;
  readonly size?: string;
}

/** A position of the strategy `s`, opened at 100, that is watched under some rules, and what is journaled of it. */
export function watched(rules: Partial<ExitRules>, { isShort = false, size = '1' }: Holding = {}) {
  const rows = new Journaled();
  const books = new Books();
  const exits = new Exits({
    watched: [{ strategy: OWNER, product: BTC, rules: { ...NO_EXITS, ...rules } }],
    log: rows.log,
    bookOf: (strategy, product) => books.book(strategy, product),
  });
  const sides = (price: number) => (isShort ? { buy: price, sell: price - 0.5 } : { buy: price + 0.5, sell: price });
  let now = OPENED;
  /** Opens the position, adds to it, or closes it where the size is negative. */
  const traded = (price: number, by = size, at = now): void => {
    now = at;
    const opens = !by.startsWith('-');
    const usd = currency('usd');
    const [amount, figure] = [decimalOf(by).abs(), decimalOf(price)];
    const side = opens === isShort ? 'sell' : 'buy';
    const money = { baseCcy: currency('btc'), quoteCcy: usd, feeCcy: usd, fee: ZERO };
    books.apply(OWNER, BTC, { side, price: figure, size: amount, value: figure.times(amount), ...money }, at);
  };
  const made = {
    ...{ rows, exits, traded },
    quoted({ price, at = now + 500, fee = 0 }: Closing) {
      now = at;
      rows.at(at);
      return exits.check(OWNER, { ...quote(sides(price)), feePercentage: fee }, btcProduct);
    },
    /** Quotes come: those prices, and the index of the first at which it is to be closed, with the reason. */
    closedAt(prices: readonly (number | Closing)[]): string | undefined {
      for (const [index, one] of prices.entries()) {
        const intent = made.quoted(typeof one === 'number' ? { price: one } : one);
        if (intent) return `${index} ${intent.side} ${rows.deferred.findLast(({ kind }) => kind === 'exit')?.reason ?? intent.reason}`;
      }
      return undefined;
    },
    /** Journaled best prices, each with its time since the opening. */
    peaks: () => rows.deferred.flatMap(({ kind, at, detail }) => (kind === 'peak' ? [[at - OPENED, Object.values(detail)[0]]] : [])),
    columns(of: readonly Closing[]): QuoteColumns {
      const column = (figure: (one: Closing, row: number) => number): Float64Array => Float64Array.from(of, figure);
      const [buy, sell] = [column(({ price }) => sides(price).buy), column(({ price }) => sides(price).sell)];
      const at = column((one, row) => one.at ?? now + 500 * (row + 1));
      const columns = { at, buy: { price: buy }, sell: { price: sell }, feePercentage: column(({ fee = 0 }) => fee) };
      return columns as unknown as QuoteColumns;
    },
  };
  traded(100);
  return made;
}
