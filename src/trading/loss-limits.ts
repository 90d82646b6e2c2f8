import { Decimal } from '../domain/decimal.ts';
import type { Currency } from '../domain/names.ts';
import type { Reason } from '../domain/reasons.ts';
import type { Limits } from './limits.ts';
import type { Standing } from './profit-track.ts';
import { countedIn } from './value-checks.ts';

/** A loss limit that is reached. */
export interface Trip {
  readonly reason: Reason;
  readonly why: string;
}

export interface LossInput {
  readonly limits: Limits;
  /** The currency that has moved. */
  readonly standing: Standing;
  /** All of them, asked for only where amounts of several currencies count together. */
  readonly standings: () => readonly Standing[];
  /** Opening capital in a currency. */
  readonly capital: (currency: Currency) => number;
  readonly rate: (from: string, to: string) => Decimal | undefined;
}

/** Holds what was lost since the day began, and since the peak, against the limits. */
export function lossTrip(input: LossInput): Trip | undefined {
  return dayLoss(input) ?? drawdown(input);
}

function dayLoss({ limits, standing, standings, rate }: LossInput): Trip | undefined {
  const cap = limits.maxDayLoss;
  if (cap === null) return undefined;
  const live = (from: string, to: string) => (from === to ? ONE : rate(from, to));
  const into = countedIn(cap, standing.currency, live);
  const limit = into === undefined ? undefined : cap.get(into);
  if (into === undefined || limit === undefined) return undefined;
  let loss = 0;
  for (const one of standings()) {
    if (countedIn(cap, one.currency, live) !== into) continue;
    loss += one.dayLoss * (live(one.currency, into)?.toNumber() ?? 0);
  }
  if (loss < limit.toNumber()) return undefined;
  return { reason: 'MAX_DAY_LOSS', why: `lost ${shown(loss)} ${into} since the day began; risk.maxDayLoss is ${limit} ${into}` };
}

function drawdown({ limits, standing, capital }: LossInput): Trip | undefined {
  const limit = limits.maxDrawdownPct;
  if (limit === null || standing.belowPeak === 0) return undefined;
  const top = capital(standing.currency) + standing.peak;
  const percent = top > 0 ? (standing.belowPeak / top) * 100 : 0;
  if (percent < limit) return undefined;
  const why = `${shown(standing.belowPeak)} ${standing.currency} below the peak, ${shown(percent)} %; risk.maxDrawdownPct is ${limit}`;
  return { reason: 'MAX_DRAWDOWN', why };
}

const ONE = new Decimal(1);

const shown = (amount: number): string => String(Math.round(amount * 100) / 100);
