import type { Command } from 'commander';
import { isoTime } from '../domain/names.ts';
import { REASONS } from '../domain/reasons.ts';
import type { TimeState } from '../domain/time-state.ts';
import type { StatusReport } from '../journal/status-report.ts';
import { printJson, printLine, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

/** Adds `status`: what is going on, as the journal knows it. */
export function addStatus(program: Command): void {
  addConfigOptions(program.command('status'))
    .description('what is going on: the run, orders, positions, money, and what is latched')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos status')
    .action(status);
}

async function status(options: ConfigOptions & { readonly json?: boolean }): Promise<void> {
  const { JournalReader } = await import('../journal/reader.ts');
  const { statusReport } = await import('../journal/status-report.ts');
  const { path } = configFrom(options).settings.journal;
  const journal = JournalReader.open(path);
  try {
    const report = await withLiveState(statusReport(journal), path);
    if (options.json) printJson(report);
    else print(report, isoTime(Date.now()));
  } finally {
    journal.close();
  }
}

/** The report with what only a running daemon knows, where it says. */
async function withLiveState(report: StatusReport, path: string): Promise<StatusReport> {
  if (!report.running || report.pid === null) return report;
  const { liveState } = await import('../wiring/daemon/live-state.ts');
  const { systemTimers } = await import('../time/system-timers.ts');
  const live = await liveState(path, report.pid);
  return live ? { ...report, time: { at: isoTime(systemTimers.wallMs()), ...live.time }, today: live.today } : report;
}

function print(report: StatusReport, now: string): void {
  printLine(`journal  ${report.journal}`);
  printLine(`book     ${report.book ?? '-'}`);
  printLine(`run      ${runLine(report)}`);
  printLine(`trading  ${tradingLine(report)}`);
  printLine(`time     ${timeLine(report)}`);
  if (report.waitUntil !== null && report.waitUntil > now) {
    printLine(`service  asks to be left alone until ${report.waitUntil} (429); openings wait, one exit may be tried`);
  }
  if (report.today !== null) printLine(`today    ${todayLine(report.today)}`);
  const counts = Object.entries(report.orders).map(([state, count]) => `${count} ${state}`);
  printLine(`orders   ${counts.length > 0 ? counts.join(', ') : 'none yet'}`);
  section(
    ['strategy', 'product', 'position', 'currency'],
    report.positions.map(({ book, product, size, currency }) => [book, product, size, currency]),
  );
  section(
    ['book', 'currency', 'opening', 'booked', 'of it fees', 'balance'],
    report.ledger.map((row) => [row.book, row.currency, row.opening, row.amount, row.fees, row.balance]),
  );
  section(
    ['product', 'no spread up to', 'currency', 'seen on', 'at'],
    report.zeroSpread.map(({ product, size, currency, lane, at }) => [product, size, currency, lane, isoTime(at)]),
  );
  section(
    ['open order', 'state', 'strategy', 'product', 'side', 'size', 'price', 'since'],
    report.open.map((o) => [o.order_id, o.state, o.strategy, o.product, o.side, o.size, o.price, o.sent_at ?? o.intent_at]),
  );
  section(
    ['latched', 'strategy', 'since', 'who', 'why'],
    report.latches.map(({ kind, strategy, since, who, why }) => [kind, strategy ?? 'all', isoTime(since), who, why]),
  );
}

function runLine({ run, running, pid }: StatusReport): string {
  if (!run) return 'none yet';
  const { run_id, mode, started_at, ended_at, end_state } = run;
  const process = pid === null ? 'another process' : `process ${pid}`;
  const shown = mode === 'dry' ? 'DRY: no order is sent' : mode;
  if (running) return `${run_id}, ${shown}, running as ${process} since ${started_at}`;
  return `${run_id}, ${shown}, started ${started_at}, ${ended_at === null ? 'ended without a word' : `${end_state} ${ended_at}`}`;
}

/** What stops orders, with its mend; strategies that stand alone are told by the table of latches. */
function tradingLine({ latches, running, run }: StatusReport): string {
  const all = latches.filter(({ strategy }) => strategy === null);
  const alone = latches.filter(({ strategy }) => strategy !== null).map(({ kind, strategy }) => `${strategy} ${kind}`);
  if (!running && all.length === 0) return run ? 'nothing: no daemon runs' : '-';
  const said = all.map(({ kind, since, who, why }) => `${kind.toUpperCase()} since ${isoTime(since)} by ${who} (${why}); ${MENDS[kind]}`);
  const state = said.length === 0 ? 'on' : said.join('; ');
  return `${state}${alone.length === 0 ? '' : `; ${alone.join(', ')}`}${running ? '' : '; no daemon runs'}`;
}

const MENDS: Readonly<Record<StatusReport['latches'][number]['kind'], string>> = {
  halted: '`kairos resume` ends it',
  reducing: 'positions are only closed until `kairos resume`',
  disarmed: '`kairos arm` shows the limits and lets orders go out',
  paused: 'positions are closed and none opened until `kairos resume`',
  disabled: '`kairos enable` ends it',
};

/** Below half a cent two figures are told apart by nobody. */
const SAME = 0.005;

function todayLine({ currency, profit, forDayLoss }: NonNullable<StatusReport['today']>): string {
  if (profit === null) return 'profit cannot be said: a price is missing';
  const said = `profit ${profit.toFixed(2)} ${currency} since midnight UTC, at present prices`;
  if (forDayLoss === null || Math.abs(profit - forDayLoss) < SAME) return said;
  return `${said}; ${forDayLoss.toFixed(2)} since trading was last armed or resumed, as risk.maxDayLoss counts`;
}

function timeLine({ time, running }: StatusReport): string {
  if (!time) return running ? 'the service was not heard yet; orders wait' : '-';
  return `${timeWords(time)} (${time.at})`;
}

function timeWords({ reason, offsetMs, halfWidthMs }: TimeState): string {
  const known = offsetMs === null ? "the service's is not known" : `${apart(offsetMs)}, ± ${halfWidthMs} ms`;
  return reason === null ? known : `${known}; orders wait: ${reason}, ${REASONS[reason]}`;
}

function apart(offsetMs: number): string {
  return `the service's clock is ${Math.abs(offsetMs)} ms ${offsetMs < 0 ? 'behind' : 'ahead of'} ours`;
}

function section(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  printLine('');
  printTable(head, rows);
}
