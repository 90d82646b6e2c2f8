import { lastRuns, type StrategyErrors, thrownIn } from '#adapters/journal/named-rows.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import type { Settings } from '#config/settings.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { entryOf, unrealisedAt } from '#domain/position.ts';
import type { StateView, StrategyView } from '#server/page/view.ts';
import { readBooks } from './money.ts';

/** What a running daemon says of its books. */
type LiveBooks = Pick<StateView, 'strategies' | 'otherBooks'>;

/** A strategy in one line. Decimals are text, figures are estimates at present prices, null is unknown. */
export interface StrategyGlance {
  readonly strategy: string;
  readonly product: string;
  /** Null if no daemon runs. */
  readonly state: StrategyView['state'] | null;
  readonly position: string;
  readonly entry: string | null;
  /** Price at which the position would be closed. */
  readonly mark: number | null;
  readonly unrealised: number | null;
  readonly currency: string | null;
  /** Profit of round trips closed since the day began (UTC), net of fees. */
  readonly today: number;
  /** Number of round trips of all runs, and of profitable ones. */
  readonly trades: number;
  readonly won: number;
  /** Errors of its code in the present run, else in the one before; in the last run if no daemon runs. Null for none. */
  readonly thrown: ThrownIn | null;
}

/** Errors of a strategy, and whether the present run had them. */
interface ThrownIn extends StrategyErrors {
  readonly run: 'this' | 'last';
}

/** The time, and whether a daemon runs on the journal. */
interface Present {
  readonly now: Millis;
  readonly running: boolean;
}

/** Every strategy at a glance, by a running daemon, else by the journal and the last recorded quotes. Throws what opening a journal throws. */
export function glanceOf(settings: Settings, live: LiveBooks | undefined, { now, running }: Present): readonly StrategyGlance[] {
  const { trades, holdings } = readBooks(settings);
  const day = isoTime(now).slice(0, 10);
  const made = (id: string, of: string): Pick<StrategyGlance, 'today' | 'trades' | 'won'> => {
    const own = trades.filter(({ book, product }) => book === id && product === of);
    const today = own.filter(({ closedAt }) => isoTime(closedAt).startsWith(day)).reduce((sum, { profit }) => sum.plus(profit), ZERO);
    return { today: today.toNumber(), trades: own.length, won: own.filter(({ profit }) => profit.gt(0)).length };
  };
  const currencyOf = (id: string, of: string): string | null =>
    holdings.find(({ book, product }) => book === id && product === of)?.quoteCcy ??
    trades.find(({ book, product }) => book === id && product === of)?.currency ??
    null;
  const others = [...(live?.otherBooks ?? []), ...(live?.strategies ?? []).flatMap(({ id, legs }) => legs.map((leg) => ({ ...leg, id })))];
  const past = (id: string, of: string): Row => {
    const held = holdings.find(({ book, product }) => book === id && product === of);
    // While a daemon runs, all rows use its marks: recorded quotes are of another time.
    const other = others.find((one) => one.id === id && one.product === of);
    const mark = other ? other.mark : (held?.estimate?.price.toNumber() ?? null);
    return {
      strategy: id,
      product: of,
      state: null,
      position: held?.size.toString() ?? '0',
      entry: held ? (entryOf(held.lots)?.toString() ?? null) : null,
      mark,
      unrealised: held ? (mark === null ? null : unrealisedAt(held.lots, decimalOf(mark)).toNumber()) : 0,
      currency: currencyOf(id, of),
      ...made(id, of),
    };
  };
  const rows = live
    ? live.strategies.map(({ id, product, state, position, entry, mark, unrealised, quoteCcy }): Row => {
        const figures = { position, entry, mark, unrealised, currency: quoteCcy ?? currencyOf(id, product) };
        return { strategy: id, product, state, ...figures, ...made(id, product) };
      })
    : settings.strategies.map(({ id, product }) => past(id, product));
  const known = new Set(rows.map(({ strategy, product }) => `${strategy} ${product}`));
  // Positions, or today's closes, of the manual book and of strategies that are no longer configured.
  const closed = trades.filter(({ closedAt }) => isoTime(closedAt).startsWith(day));
  const left = new Map([...holdings, ...closed].map(({ book, product }) => [`${book} ${product}`, { book, product }]));
  const all = [...rows, ...[...left].filter(([key]) => !known.has(key)).map(([, { book, product }]) => past(book, product))];
  const thrown = thrownBy(settings, { now, running });
  return all.map((row) => ({ ...row, thrown: thrown(row.strategy) }));
}

type Row = Omit<StrategyGlance, 'thrown'>;

function thrownBy(settings: Settings, { now, running }: Present): (strategy: string) => ThrownIn | null {
  const journal = JournalReader.open(settings.journal.path);
  try {
    const [newest, before] = journal.named(lastRuns);
    const runs = running
      ? ([
          [newest, 'this'],
          [before, 'last'],
        ] as const)
      : ([[newest, 'last']] as const);
    const of = (strategy: string): ThrownIn | null => {
      for (const [id, run] of runs) {
        const thrown = id === undefined ? null : journal.named((database) => thrownIn(database, { strategy, run: id, at: isoTime(now) }));
        if (thrown) return { ...thrown, run };
      }
      return null;
    };
    const found = new Map(settings.strategies.map(({ id }) => [`${id}`, of(id)]));
    return (strategy) => found.get(strategy) ?? null;
  } finally {
    journal.close();
  }
}
