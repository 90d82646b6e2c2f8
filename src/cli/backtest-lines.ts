import type { Against } from '#apps/backtest/against.ts';
import type { LatencyCurve } from '#apps/backtest/curve.ts';
import type { BacktestOutcome } from '#apps/backtest/outcome.ts';
import type { WarmUpCheck } from '#apps/backtest/warm-up-check.ts';
import { oneLine } from '#report/decision-words.ts';
import type { Headline } from '#report/headline.ts';
import { figure } from './numbers.ts';
import { printLine, printTable } from './output.ts';
import { printProfit } from './profit-table.ts';

/** Headlines on a terminal: what must be read first stands above the figures, what was assumed below them. */
export function headlineTexts(lines: readonly Headline[]): { readonly above: readonly string[]; readonly below: readonly string[] } {
  const texts = (chosen: readonly Headline[]): readonly string[] => chosen.map(({ text }) => text);
  const isBelow = ({ code, level }: Headline): boolean => level === 'note' && code !== 'FILLS';
  return { above: texts(lines.filter((line) => !isBelow(line))), below: texts(lines.filter(isBelow)) };
}

export function printOutcome(outcome: BacktestOutcome): void {
  const { orders, refusals, profit } = outcome;
  printLine(`${outcome.quotes} quotes from ${outcome.from} to ${outcome.to}`);
  if (profit.length > 0) printProfit('strategy', profit);
  const states = Object.entries(orders).map(([state, count]) => `${count} ${state}`);
  if (states.length > 0) printLine(`orders: ${states.join(', ')}`);
  if (refusals.length > 0) printLine(`refused: ${refusals.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`);
}

export function printCurve({ points, currency, breakEvenMs }: LatencyCurve): void {
  printTable(
    ['latency ms', `net profit ${currency ?? ''}`.trim(), 'fills', 'expired', 'rejected', 'unknown'],
    points.map(({ latencyMs, outcome: { net, shares, orders } }) => [
      String(latencyMs),
      figure(currency === undefined ? '0' : (net[currency] ?? '0')),
      String(shares.fills),
      String(orders.expired ?? 0),
      String(orders.rejected ?? 0),
      String(orders.unknown ?? 0),
    ]),
  );
  printLine(`break-even latency: ${typeof breakEvenMs === 'number' ? `${figure(breakEvenMs, 1)} ms` : breakEvenMs}`);
}

export function printAgainst({ run, wentOn, fills, same, others }: Against): void {
  const share = fills === 0 ? '' : ` (${figure((same / fills) * 100, 2)} %)`;
  printLine(`run ${run}: ${same} of its ${fills} fills${share} came on the same quote`);
  if (wentOn) printLine('it went on with what earlier runs had left, and so does this comparison; the figures above begin flat');
  if (others.length === 0) return;
  printTable(
    ['at', 'order', 'strategy', 'side', 'cause'],
    others.map(({ at, order, strategy, side, cause }) => [at, order, strategy, side, oneLine(cause)]),
  );
}

export function printWarmUps(checks: readonly WarmUpCheck[]): void {
  const text = (value: unknown): string => (value === undefined ? '-' : oneLine(typeof value === 'string' ? value : JSON.stringify(value)));
  for (const { strategy, warmUp, at, values } of checks) {
    const differing = values.filter(({ same }) => !same);
    if (at === null) printLine(`${strategy}: warm-up ${warmUp}`);
    else if (differing.length === 0)
      printLine(`${strategy}: ${values.length} values are the same after a warm-up of ${warmUp} and of twice that`);
    else {
      const isShort = differing.some(({ once }) => once === undefined);
      const says = isShort ? `a warm-up of ${warmUp} is too short` : `what came before a warm-up of ${warmUp} still counts`;
      printLine(`${strategy}: ${says}; at ${at}`);
      printTable(
        ['signal', `after ${warmUp}`, 'after twice that', 'apart'],
        differing.map(({ name, once, twice }) => [name, text(once), text(twice), apartText(once, twice)]),
      );
    }
  }
}

/** How far apart two figures are, in percent of the larger; nothing where they are none. */
function apartText(once: unknown, twice: unknown): string {
  if (typeof once !== 'number' || typeof twice !== 'number') return '-';
  return `${figure((Math.abs(once - twice) / Math.max(Math.abs(once), Math.abs(twice))) * 100, 6)} %`;
}
