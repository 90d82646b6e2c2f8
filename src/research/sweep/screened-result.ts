import type { ScreenResult } from '#core/quick-trials/account.ts';
import type { LaneStream } from '#core/quick-trials/stream.ts';
import type { Conditions } from '#core/quick-trials/trial.ts';
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
  readonly stream: LaneStream;
  readonly conditions: Conditions;
  readonly reference: TrialResult;
  readonly currency: string;
}

/** A screened trial as a result, by the rules of every report. */
export function screenedResult(job: TrialJob, of: Of): TrialResult {
  const { trial, stream, reference, currency } = of;
  const equity = equityOf(of);
  const results = returnSection(equity, DAILY);
  const all = [...results.flatMap((section) => section.figures), ...tripLines(trial.trips, metricIn(results, 'days'))];
  const figures: Record<string, number | null> = {};
  for (const { id, unit, value } of all) if (unit !== 'time' && !isUnscreened(id)) figures[id] = value;
  const overFall = equity.moneyFall.amount > 0 ? equity.netProfit / equity.moneyFall.amount : null;
  return {
    ...job,
    figures: { ...figures, profitOverDrawdown: overFall, open: trial.open },
    currency,
    days: equity.days.map(({ at, return: change, whole }) => ({ at, return: change, whole })),
    fills: trial.fills.length,
    // No import was ever offered for an order.
    exact: stream.areImported ? 0 : trial.fills.length,
    halted: null,
    failed: null,
    headlines: ofSettings(reference) ? reference.headlines : [],
    refusals: trial.refusals,
    screened: true,
  };
}

/** True where what stands against a trial stands against its settings, and so against all trials. */
const ofSettings = ({ fills, refusals, halted, headlines }: TrialResult): boolean =>
  fills > 0 && refusals.length === 0 && halted === null && !headlines.some(({ code }) => code === 'NEVER_TRADED');

function equityOf({ trial, stream, conditions, currency }: Of): Equity {
  const { capital, final, fall, fallShare, endsOfDays, endedAt: to, inMarketMs } = trial;
  const { days, tradedMs } = conditions;
  const { from } = stream;
  const unknown = { from, troughAt: from };
  return {
    ...{ currency, from, to, empty: [], unrecorded: [], partly: [], firstRates: [], chart: [], fallChart: [], paidChart: [] },
    ...{ capital, capitalIn: {}, joined: 0, flows: 0, final, netProfit: final - capital, revaluation: 0, totalReturn: final / capital - 1 },
    ...{ tradedMs: tradedMs + to - stream.lastAt, recordedMs: tradedMs + to - stream.lastAt },
    days: endsOfDays.map((equity, day) => ({
      at: day === days.length - 1 ? to : (days[day]?.at ?? to),
      equity,
      return: equity / (day === 0 ? capital : (endsOfDays[day - 1] ?? capital)) - 1,
      whole: days[day]?.whole ?? false,
    })),
    falls: fallShare > 0 ? [{ depth: fallShare, ...unknown, recoveredAt: null }] : [],
    underWaterMs: 0,
    moneyFall: { amount: fall, ...unknown },
    inMarketMs,
    ruinedAt: null,
  };
}
