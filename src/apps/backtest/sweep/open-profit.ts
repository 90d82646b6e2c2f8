import type { TrialResult } from '#apps/backtest/replay/trial.ts';
import { moneyText } from '#report/figures.ts';

/** Share of a profit below which what is open of it is not worth a word. */
const WORTH_SAYING = 0.01;

/** Sums that differ by less of their size than this are the same but for rounding. */
const ROUNDING = 1e-9;

type Measured = Pick<TrialResult, 'figures'>;

/**
 * What of the net profit no round trip closed, in the currency of the result: positions at the end of the window, at its last quotes, and
 * financing. Null where the profit of its round trips is not known.
 */
export function openIn({ figures: { netProfit = null, tradeProfit = null, trades = null } }: Measured): number | null {
  const closed = tradeProfit ?? (trades === 0 ? 0 : null);
  if (netProfit === null || closed === null) return null;
  const open = netProfit - closed;
  return Math.abs(open) <= ROUNDING * Math.max(Math.abs(netProfit), Math.abs(closed)) ? 0 : open;
}

/** How much of a profit is open, to stand behind the number of its trades; empty where little or nothing is. */
export function openText(of: Measured): string {
  const { netProfit = null } = of.figures;
  const open = openIn(of);
  if (netProfit === null || open === null || netProfit <= 0 || open < WORTH_SAYING * netProfit) return '';
  const closed = netProfit - open;
  if (open < netProfit) return `, ${moneyText(open)} of ${moneyText(netProfit)} of it open`;
  return closed < 0 ? `, all of it open: the closed ones lost ${moneyText(-closed)}` : ', all of it open';
}
