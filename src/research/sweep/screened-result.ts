import { figureAt } from '#core/screen/columns.ts';
import type { Rows } from '#core/screen/rows.ts';
import type { Conditions, ScreenResult } from '#core/screen/trial.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { metricIn } from '#report/figures.ts';
import { DAILY } from '#report/metrics/returns.ts';
import { returnSection } from '#report/sections/result.ts';
import { tripLines } from '#report/sections/trades.ts';
import type { TrialJob, TrialResult } from '#research/replay/trial.ts';

/** Figures that need each quote of a trade or of a fall: the engine's alone. */
const NOT_SCREENED: ReadonlySet<string> = new Set(['underWater', 'mae', 'maeMost', 'mfe', 'mfeMost', 'givenBack']);

/** True for a figure that a screened trial does not have. */
export const isUnscreened = (figure: string): boolean => NOT_SCREENED.has(figure);

interface Of {
  readonly trial: ScreenResult;
  readonly rows: Rows;
  readonly conditions: Conditions;
  readonly reference: TrialResult;
}

/** A screened trial as a result, by the rules of every report. */
export function screenedResult(job: TrialJob, { trial, rows, conditions, reference }: Of): TrialResult {
  const { quoteCcy } = rows.quotes;
  const equity = equityOf(trial, { rows, conditions });
  const results = returnSection(equity, DAILY);
  const all = [...results.flatMap((section) => section.figures), ...tripLines(trial.trips, metricIn(results, 'days'))];
  const figures: Record<string, number | null> = {};
  for (const { id, unit, value } of all) if (unit !== 'time' && !isUnscreened(id)) figures[id] = value;
  const overFall = equity.moneyFall.amount > 0 ? equity.netProfit / equity.moneyFall.amount : null;
  return {
    ...job,
    figures: { ...figures, profitOverDrawdown: overFall, open: openIn(trial, rows) },
    currency: quoteCcy,
    days: equity.days.map(({ at, return: change, whole }) => ({ at, return: change, whole })),
    fills: trial.fills.rows.length,
    exact: reference.fills > 0 && reference.exact === 0 ? 0 : trial.fills.rows.length,
    halted: null,
    failed: null,
    // What stands against its settings stands against all trials.
    headlines: reference.fills > 0 && reference.refusals.length === 0 && reference.halted === null ? reference.headlines : [],
    refusals: trial.refused === 0 ? [] : [{ reason: 'LOSS_COOLDOWN', count: trial.refused }],
    screened: true,
  };
}

function equityOf(
  { final, fall, fallShare, endsOfDays, endedAt, trips, fills, size }: ScreenResult,
  { rows, conditions }: Pick<Of, 'rows' | 'conditions'>,
): Equity {
  const { capital, days, tradedMs } = conditions;
  const { at, length, quoteCcy: currency } = rows.quotes;
  const [from, last, to] = [at[0] ?? 0, at[length - 1] ?? 0, endedAt];
  const held = trips.held.reduce((sum, heldMs) => sum + heldMs, 0);
  const openedAt = size === 0 ? undefined : fills.at.at(-1);
  const unknown = { from, troughAt: from };
  return {
    ...{ currency, from, to, empty: [], unrecorded: [], partly: [], firstRates: [], chart: [], fallChart: [], paidChart: [] },
    ...{ capital, capitalIn: {}, joined: 0, flows: 0, final, netProfit: final - capital, revaluation: 0, totalReturn: final / capital - 1 },
    tradedMs: tradedMs + to - last,
    days: endsOfDays.map((equity, day) => ({
      at: day === days.length - 1 ? to : (days[day]?.at ?? to),
      equity,
      return: equity / (day === 0 ? capital : (endsOfDays[day - 1] ?? capital)) - 1,
      whole: days[day]?.whole ?? false,
    })),
    falls: fallShare > 0 ? [{ depth: fallShare, ...unknown, recoveredAt: null }] : [],
    underWaterMs: 0,
    moneyFall: { amount: fall, ...unknown },
    inMarketMs: held + (openedAt === undefined ? 0 : to - openedAt),
    ruinedAt: null,
  };
}

/** What a position at the end has won or lost, its entry's fee taken off. */
function openIn({ size, fills }: ScreenResult, { quotes, fees }: Rows): number {
  const entry = fills.rows.at(-1);
  if (size === 0 || entry === undefined) return 0;
  const [opened, closing] = size > 0 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const cost = Math.sign(size) * figureAt(quotes[opened].value, entry) + figureAt(fees[opened], entry);
  return size * figureAt(quotes[closing].price, quotes.length - 1) - cost;
}
