import { key } from '#domain/settings/key.ts';
import { choice, number, optional, or, path } from '#domain/settings/kind.ts';
import { range } from '#domain/settings/spans.ts';

/** Settings of backtests alone. */
export const BACKTEST_KEYS = {
  latency: key(
    or('measured', range(0, 60_000)),
    'measured',
    'milliseconds until an order arrives, and its answer as long again: a number, [shortest, longest] to draw from, or measured: round trips of the orders in journal.path',
  ),
  slippagePct: key(
    number({ min: 0, max: 50 }),
    0.05,
    'what a size beyond the largest recorded one costs on each side, in percent of the price for each doubling',
  ),
  onHalt: key(choice(['end', 'continue']), 'end', 'what a backtest does when trading halts: end, or continue without orders'),
  limits: key(
    choice(['on', 'off']),
    'on',
    'off: backtests without budgets and without the limits of risk.*, whose results say so; as --no-limits. No other command reads it',
  ),
  atEnd: key(
    choice(['keep', 'close']),
    'keep',
    'what becomes of open positions when the data ends: keep them, valued at the last quotes, or close them on these as an order would',
  ),
  deposits: key(optional(path), null, 'CSV file of money that comes in and goes out: time,currency,amount'),
};
