import type { MarkData, PriceData, RunData, Series, TradeData } from '#report/page/page-data.ts';
import type { ChartBar, ChartFill, ChartHistory } from '#server/page/history-view.ts';
import { bySecond, type Point } from '../charts/points.ts';
import { amount } from '../words/numbers.ts';

/** A round trip of the table. */
export interface TradeMarks {
  readonly strategy: string;
  readonly product: string;
  readonly openedAt: number;
  readonly closedAt: number;
  readonly profit: number;
  readonly exitOrder: string;
  readonly marks: readonly MarkData[];
}

/** Moments as the report writes them, to the second. */
export const secondText = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** The currency of all round trips; undefined where they have several. */
export function oneCurrency({ currencies }: Pick<RunData, 'currencies'>): string | undefined {
  const [one, ...others] = new Set(Object.values(currencies));
  return others.length === 0 ? one : undefined;
}

/** How many round trips are shown, and what they made; money of several currencies is not added up. */
export function shownWords(found: readonly TradeData[], { trades, currencies }: Pick<RunData, 'trades' | 'currencies'>): string {
  const currency =
    oneCurrency({ currencies }) ??
    oneCurrency({ currencies: Object.fromEntries(found.map(([, , product]) => [product, currencies[product] ?? ''])) });
  const profit = found.reduce((sum, row) => sum + row[9], 0);
  return `${found.length} of ${trades.length}${currency === undefined ? '' : `, profit ${amount(profit, currency)}`}`;
}

/** The points of a series in seconds; `times` is what each value is multiplied by. */
export const pointsOf = ({ t0, stepMs, values }: Series, times = 1): readonly Point[] =>
  bySecond(values.flatMap((value, n) => (value === null ? [] : [{ at: t0 + n * stepMs, value: value * times }])));

/**
 * The points of several series at the same times, as many as the finest has values: a chart gives each time the same room, so that times of
 * their own would stretch where a short one has its many. Each ends with its last value, at the time nearest to its end.
 */
export function pointsTogether(all: readonly Series[]): readonly (readonly Point[])[] {
  const begin = Math.min(...all.map(({ t0 }) => t0));
  const lengthOf = ({ t0, stepMs, values }: Series): number => t0 - begin + stepMs * (values.length - 1);
  const step = Math.max(1, Math.max(...all.map(lengthOf)) / Math.max(1, ...all.map(({ values }) => values.length - 1)));
  return all.map((one) => {
    const first = Math.round((one.t0 - begin) / step);
    // A line of one point is not seen.
    const last = Math.max(first + 1, Math.round(lengthOf(one) / step));
    const values = Array.from({ length: last - first + 1 }, (_, n) => {
      const place = Math.floor(((first + n) * step - (one.t0 - begin)) / one.stepMs + ROUNDING);
      return one.values[first + n === last ? one.values.length - 1 : Math.max(0, place)] ?? null;
    });
    return pointsOf({ t0: begin + first * step, stepMs: step, values });
  });
}

/** Two times that are the same but for this share of a step are the same. */
const ROUNDING = 1e-6;

export function tradeOf(row: TradeData): TradeMarks {
  const [closedAt, strategy, product, side, size, entry, exit, heldMs, , profit, , , orders] = row;
  const [entryOrder = '', exitOrder = ''] = orders.split(' ');
  const openedAt = closedAt - heldMs;
  const [begins, ends] = side === 'long' ? ([1, 0] as const) : ([0, 1] as const);
  return {
    ...{ strategy, product, openedAt, closedAt, profit, exitOrder },
    marks: [
      [openedAt, begins, entry, size, entryOrder, strategy],
      [closedAt, ends, exit, size, exitOrder, strategy],
    ],
  };
}

const SECOND_MS = 1_000;

/** The stretches of a price as bars of whole seconds; a time without quotes has none. */
export function barsOf({ last: { t0, stepMs, values }, low, high }: PriceData): {
  readonly bars: readonly ChartBar[];
  readonly stepMs: number;
} {
  const step = Math.max(SECOND_MS, Math.ceil(stepMs / SECOND_MS) * SECOND_MS);
  const bars: ChartBar[] = [];
  for (const [n, close] of values.entries()) {
    if (close === null) continue;
    // A value stands for the stretch that ends at its time.
    const within = t0 + n * stepMs - 1;
    const at = within - (((within % step) + step) % step);
    const before = bars.at(-1);
    const [least, most] = [low[n] ?? close, high[n] ?? close];
    if (before?.at === at)
      bars[bars.length - 1] = { ...before, low: Math.min(before.low, least), high: Math.max(before.high, most), close };
    else {
      // After a time without quotes nothing is known of the price at which it began.
      const open = values[n - 1] === null ? close : (before?.close ?? close);
      bars.push({ at, open, low: Math.min(open, least), high: Math.max(open, most), close });
    }
  }
  return { bars, stepMs: step };
}

const fillOf = ([at, buys, price, size, order, strategy]: MarkData): ChartFill => ({
  ...{ at, price, order, strategy, size: String(size), closed: null },
  side: buys === 1 ? 'buy' : 'sell',
});

/** A product's prices as the live page has them, with the fills of the chosen trade where they were left out. */
export function historyOf(price: PriceData, { from, to }: RunData, chosen: TradeMarks | null): ChartHistory {
  const { product, lane, signals, refusals } = price;
  const added = (chosen?.marks ?? []).filter((mark) => !price.marks.some((one) => one[4] === mark[4]));
  const marks = [...price.marks, ...added].sort((a, b) => a[0] - b[0]);
  return {
    ...{ product, lane, currency: null, from, to, ...barsOf(price), runs: [], fillsLeftOut: 0 },
    fills: marks.map(fillOf),
    trades: chosen === null ? [] : [lineOf(chosen)],
    refusals: refusals.map(([at, buys, wanted, reason, strategy], seq) => ({
      ...{ seq, at, kind: 'refused', price: wanted, order: null },
      side: buys === 1 ? 'buy' : 'sell',
      words: `${strategy}: ${buys === 1 ? 'buy' : 'sell'} at ${wanted} refused: ${reason}`,
    })),
    signals: signals.map(({ strategy, name, points }) => ({
      strategy,
      name,
      isWhole: false,
      points: points.map(([at, value]) => ({ at, value })),
    })),
  };
}

function lineOf({ strategy, openedAt, closedAt, profit, marks: [entry, exit] }: TradeMarks): ChartHistory['trades'][number] {
  return {
    ...{ strategy, openedAt, closedAt, profit, side: entry?.[1] === 1 ? 'long' : 'short' },
    entryPrice: String(entry?.[2] ?? 0),
    exitPrice: String(exit?.[2] ?? 0),
  };
}
