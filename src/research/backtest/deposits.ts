import { readFileSync } from 'node:fs';
import { anyMillis } from '#adapters/recording/import/cells.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, headline } from '#report/headline.ts';

/** A deposit or withdrawal at a time. */
export interface Flow {
  readonly at: Millis;
  readonly entry: BookedEntry;
}

/**
 * Reads deposits and withdrawals: lines of `time,currency,amount`, behind a line with these names; a withdrawal is
 * negative. Throws CONFIG_INVALID naming the line at fault.
 */
export function readFlows(file: string): readonly Flow[] {
  const lines = textOf(file).split(/\r?\n/);
  if (lines[0]?.trim() !== 'time,currency,amount') throw fault(file, 1, 'the first line must be `time,currency,amount`');
  return lines.flatMap((line, index) => (index === 0 || line.trim() === '' ? [] : [flowOf(line, file, index + 1)]));
}

/** That some are not booked, since they are before or behind what is played: a warning where nobody named that time. */
export function flowHeadlines(
  flows: readonly Flow[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
  named: { readonly from: Millis | undefined; readonly to: Millis | undefined },
): readonly Headline[] {
  const outside = flows.filter(({ at }) => at < from || at > to).length;
  if (outside === 0) return [];
  const text = `backtest.deposits: ${outside} of ${flows.length} rows are outside of the time that is played, and are not booked`;
  return [headline('NOTE', text, { level: named.from === undefined && named.to === undefined ? 'warning' : 'note' })];
}

function flowOf(line: string, file: string, number: number): Flow {
  const [time = '', currency = '', amount = '', ...more] = line.split(',').map((cell) => cell.trim());
  const at = anyMillis(time);
  if (!Number.isFinite(at)) throw fault(file, number, `${JSON.stringify(time)} is no time`);
  if (!/^[a-z0-9]{1,20}$/.test(currency)) throw fault(file, number, `${JSON.stringify(currency)} is no currency`);
  if (more.length > 0 || !/^-?\d{1,16}(\.\d{1,18})?$/.test(amount) || decimalOf(amount).isZero()) {
    throw fault(file, number, `${JSON.stringify([amount, ...more].join(','))} is no amount`);
  }
  const kind = amount.startsWith('-') ? 'withdrawal' : 'deposit';
  return { at, entry: { kind, book: TREASURY, currency, amount } };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KairosError('CONFIG_INVALID', `backtest.deposits: ${file} cannot be read (${messageOf(error)})`);
  }
}

const fault = (file: string, line: number, what: string): KairosError =>
  new KairosError('CONFIG_INVALID', `backtest.deposits: ${file}:${line}: ${what}; a line is such as 2026-01-05T09:00:00Z,usd,500`);
