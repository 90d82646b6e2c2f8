import type { Command } from 'commander';
import type { StatusReport } from '#adapters/journal/status-report.ts';
import type { Settings } from '#config/settings.ts';
import type { InForce } from '#daemon/operations/in-force.ts';
import { type Orphan, orphanText } from '#daemon/operations/orphans.ts';
import type { StrategyGlance } from '#daemon/operations/report/glance.ts';
import { waitingExitText } from '#domain/closing-wait.ts';
import { durationText } from '#domain/duration-text.ts';
import { KairosError } from '#domain/errors.ts';
import { endText, foremostFirst, withEnds } from '#domain/latch-ends.ts';
import { isBacktest, modeFactsNamed } from '#domain/mode.ts';
import { amountText } from '#domain/money-text.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { JOURNAL_HELD } from '#domain/no-order-words.ts';
import { oneLine } from '#domain/one-line.ts';
import { statesText } from '#domain/order-states.ts';
import { REASONS } from '#domain/reasons.ts';
import { keptBackText } from '#domain/settle-text.ts';
import type { TimeState } from '#domain/time-state.ts';
import { type WantedLeg, waitingText } from '#domain/waiting-text.ts';
import type { StateView } from '#server/page/view.ts';
import { progressLine } from './manual-requests.ts';
import { painted, signPainted, statesPainted } from './meaning.ts';
import { printJson, printText } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';
import { glance, moneyOf, section } from './status-tables.ts';

/** Adds `status`: the present state by the journal. */
export function addStatus(command: Command): void {
  addJournalOptions(command)
    .option('--money', 'the ledger as well: what each book has of each currency')
    .option('--check', 'fail unless a daemon runs and answers: a health check')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos status')
    .action(status);
}

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly money?: boolean;
  readonly check?: boolean;
}

/** The state by journal and running daemon, and each strategy in one line. */
type StatusOverview = StatusReport & {
  readonly strategies: readonly StrategyGlance[];
  /** What strategies and positions are compared with: `the running daemon`, or the files that were read. */
  readonly configuration: string;
  /** Positions that no strategy of it holds. */
  readonly orphans: readonly Orphan[];
  /** Of a daemon that runs and does not answer, the time of the last row in its journal; null for any other. */
  readonly silentSince: string | null;
  /** The file that halts, where the journal does not have that halt; else null. */
  readonly haltFile: string | null;
  /** True while another program holds the journal, so that no order goes out and rows wait. */
  readonly journalHeld: boolean;
  /** True if `journal.rotate` is due: the next run begins with a rotation. */
  readonly rotationDue: boolean;
  /** What people asked for and is still at work, as a running daemon says. */
  readonly byHand: StateView['byHand'];
  /** What strategies want and have not got yet; exits are told by themselves. */
  readonly wanted: readonly WantedLeg[];
  /** That the currency of fees is a guess; null where it is known, and where no real money is traded. */
  readonly feeGuess: string | null;
};

type Live = Omit<StatusOverview, 'silentSince' | 'haltFile' | 'feeGuess'>;

async function status(options: Options): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { statusReport } = await import('#adapters/journal/status-report.ts');
  const { inForce } = await import('#daemon/operations/in-force.ts');
  const config = await runningConfigFrom(options);
  const { settings } = config;
  const { controlFiles, haltByFile, isTaken, standingHalt } = await import('#adapters/journal/control-files.ts');
  const journal = JournalReader.open(settings.journal.path);
  try {
    const journaled = statusReport(journal);
    const files = controlFiles(settings.journal.path);
    const standing = standingHalt(files);
    const isPast = journaled.latches.some(({ kind }) => kind === 'halted');
    const haltFile = standing && !isPast ? standing.file : null;
    // Of a daemon that runs, a file alone says nothing.
    const byFile = haltFile !== null && journaled.running && !isTaken(files, haltFile) ? [] : haltByFile(files, journaled.latches);
    const now = inForce(config, { holder: journal.holder(), run: journal.lastRun() ?? null });
    const latches = withEnds([...byFile, ...journaled.latches], now.rearmAfterMs);
    const live = await withLiveState({ ...journaled, latches }, settings, now);
    const [last] = live.running && live.today === null ? journal.tail(1) : [];
    const { feeGuess } = await import('#daemon/operations/fee-guess.ts');
    const report = {
      ...live,
      feeGuess: feeGuess(config),
      silentSince: last?.at ?? null,
      haltFile,
    };
    if (options.json) printJson(report);
    else print(report, Date.now(), options.money ?? false);
    if (options.check) assertAnswers(report);
  } finally {
    journal.close();
  }
}

/** Throws OPS_UNAVAILABLE. */
function assertAnswers({ journal, running, today }: StatusOverview): void {
  if (!running) throw new KairosError('OPS_UNAVAILABLE', `no daemon holds ${journal}: kairos run starts one`);
  if (today === null) throw new KairosError('OPS_UNAVAILABLE', `the daemon of ${journal} does not answer: its log may say why`);
}

/** The report with what only a running daemon knows, if it answers. */
async function withLiveState(report: StatusReport, configured: Settings, { strategies: entries, place }: InForce): Promise<Live> {
  const { saidByDaemon } = await import('#daemon/operations/said-by-daemon.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { glanceOf } = await import('#daemon/operations/report/glance.ts');
  const { orphansAmong } = await import('#daemon/operations/orphans.ts');
  const { isRotationDue } = await import('#adapters/journal/rotate.ts');
  const live = report.running ? await saidByDaemon('state', configured.journal.path) : undefined;
  const now = lastDayOf(report.run) ?? systemTimers.wallMs();
  const settings = { ...configured, strategies: entries };
  const strategies = glanceOf(settings, live, { now, running: report.running });
  const orphans = orphansAmong(report.positions, entries);
  const rotationDue = isRotationDue(settings.journal.path, settings.journal.rotate, now);
  const byHand = live?.byHand.filter(({ ended }) => !ended) ?? [];
  const journalHeld = live?.notReady.includes(JOURNAL_HELD) ?? false;
  const wanted =
    live?.strategies.flatMap(({ id, waiting }) => waiting.flatMap((leg) => (leg.until === null ? [] : { ...leg, strategy: id }))) ?? [];
  const shown = { ...report, configuration: place, strategies, orphans, journalHeld, rotationDue, byHand, wanted };
  if (!live) return shown;
  const { time, money, waitingExits, rateWarnings } = live;
  const { reason, offsetMs, halfWidthMs } = time;
  const { currency, profitOfDay: profit, heldForDayLoss, missing, laneless } = money;
  const today = { currency, profit, heldForDayLoss, missing, laneless };
  return { ...shown, time: { at: isoTime(now), reason, offsetMs, halfWidthMs }, today, waitingExits, rateWarnings };
}

/** The end of a backtest, whose last day is the present of its journal; undefined for any other run. */
function lastDayOf(run: StatusReport['run']): Millis | undefined {
  // A backtest that ends at midnight played nothing of the day that begins then.
  return run && isBacktest(run.mode) && run.ended_at !== null ? Date.parse(run.ended_at) - 1 : undefined;
}

function print(report: StatusOverview, nowMs: number, money: boolean): void {
  const now = isoTime(nowMs);
  if (report.run) printText(modeFactsNamed(report.run.mode)?.words ?? report.run.mode.toUpperCase());
  if (report.silentSince !== null) printText(`daemon   ${silentLine(report.pid, report.silentSince, nowMs)}`);
  const held = report.journalHeld ? '; HELD by another program: no order goes out, and rows wait' : '';
  printText(`journal  ${report.journal}${held}${report.rotationDue ? `; journal.rotate is due: ${rotationMend(report)}` : ''}`);
  printText(`book     ${report.book ?? '-'}`);
  printText(`run      ${runLine(report)}`);
  printText(`trading  ${tradingLine(report)}`, (text) =>
    statesPainted(text).replace(/^trading {2}on\b/, `trading  ${painted('green', 'on')}`),
  );
  for (const { state, order_id: order, product } of report.open) {
    if (state === 'unknown') printText(`unknown  ${keptBackText(order, product)}`);
  }
  if (report.haltFile !== null) printText(`halt     ${report.haltFile} stands, ${takenText(report)}`);
  printText(`time     ${timeLine(report)}`);
  if (report.waitUntil !== null && report.waitUntil > now) {
    printText(`service  asks for no requests until ${report.waitUntil} (429); openings wait, one exit may be tried`);
  }
  const isToldBelow = ({ strategy, product }: StatusReport['waitingExits'][number]): boolean =>
    report.byHand.some(({ parts }) =>
      parts.some(
        (part) => part.book === strategy && part.product === product && part.state === 'working' && part.reason === 'MAX_EXIT_VALUE',
      ),
    );
  for (const exit of report.waitingExits) if (!isToldBelow(exit)) printText(`exit     ${waitingExitText(exit)}`);
  for (const one of report.wanted) printText(oneLine(`wants    ${one.strategy} ${waitingText(one)}`));
  for (const { act, parts } of report.byHand) {
    for (const part of parts) if (part.state === 'working') printText(oneLine(`manual   ${act} at work: ${progressLine(part)}`));
  }
  if (report.today !== null) printText(`today    ${todayLine(report.today)}`, (text) => text.replace(AMOUNT, signPainted));
  else if (report.running) printText('today    not known: the daemon does not answer now, so states and marks are missing as well');
  for (const line of report.rateWarnings) printText(`rates    ${oneLine(line)}`);
  if (report.feeGuess !== null) printText(`fees     ${report.feeGuess}`);
  const orders = statesText(Object.entries(report.orders));
  printText(`orders   ${orders === '' ? 'none yet' : `${orders} (in all runs)`}`);
  const lastDay = lastDayOf(report.run);
  glance(report.strategies, nowMs, lastDay === undefined ? undefined : isoTime(lastDay).slice(0, 10));
  for (const orphan of report.orphans) printText(oneLine(orphanText(orphan, report.configuration)));
  if (money) {
    section(
      ['book', 'currency', 'opening', 'booked', 'of it fees', 'balance'],
      report.ledger.map((row) => [row.book, row.currency, row.opening, row.amount, row.fees, row.balance]),
    );
  }
  section(
    ['product', 'zero spread up to', 'currency', 'seen on', 'at'],
    report.zeroSpread.map(({ product, size, currency, lane, at }) => [product, size, currency, lane, isoTime(at)]),
  );
  section(
    ['open order', 'state', 'strategy', 'product', 'side', 'size', 'price', 'since'],
    report.open.map((o) => [o.order_id, o.state, o.strategy, o.product, o.side, o.size, o.price, o.sent_at ?? o.intent_at]),
  );
  section(
    ['latched', 'strategy', 'since', 'who', 'why'],
    report.latches.map(({ kind, strategy, since, who, why, until }) => [
      kind,
      strategy ?? 'all',
      isoTime(since),
      who,
      until === undefined ? why : `${why}; ends by itself at ${isoTime(until)}`,
    ]),
  );
}

function silentLine(pid: number | null, since: string, now: Millis): string {
  const [who, end] = pid === null ? ['the process that holds the journal', 'ending it'] : [`process ${pid}`, `\`kill -9 ${pid}\``];
  return `${who} does not answer; its last row is of ${since}, ${durationText(now - Date.parse(since))} ago: if it stays so, ${end} and a new start bring it back`;
}

const takenText = ({ latches }: StatusOverview): string =>
  latches.some(({ kind }) => kind === 'halted')
    ? 'and the journal does not have it yet'
    : 'but the daemon has not taken note of it: orders may still go out';

const rotationMend = ({ running }: StatusOverview): string =>
  running ? 'the daemon rotates at a quiet moment after journal.rotate.at' : 'the next start rotates first';

function runLine({ run, running, pid }: StatusReport): string {
  if (!run) return 'none yet';
  const { run_id, started_at, ended_at, end_state } = run;
  const process = pid === null ? 'another process' : `process ${pid}`;
  if (running) return `${run_id}, running as ${process} since ${started_at}`;
  return `${run_id}, started ${started_at}, ${ended_at === null ? 'crashed' : `${end_state} ${ended_at}`}`;
}

/** What stops all orders, with its remedy; stopped single strategies are in the table of latches. */
function tradingLine({ latches, running, run }: StatusReport): string {
  const all = foremostFirst(latches.filter(({ strategy }) => strategy === null));
  const alone = latches.filter(({ strategy }) => strategy !== null).map(({ kind, strategy }) => `${strategy} ${kind}`);
  const wasPlayed = isBacktest(run?.mode);
  if (!running && all.length === 0) return wasPlayed ? 'nothing: the backtest is over' : run ? 'nothing: no daemon runs' : '-';
  const said = all.map(({ kind, since, who, why, until }) => {
    const mend = all.length > 1 ? '' : until === undefined ? `; ${MENDS[kind]}` : `; positions are only closed: ${endText(all, quoted)}`;
    return `${kind.toUpperCase()} since ${isoTime(since)} by ${who} (${why})${wasPlayed ? '; to the end of the backtest' : mend}`;
  });
  if (all.length > 1 && !wasPlayed) said.push(endText(all, quoted));
  const state = said.length === 0 ? 'on' : said.join('; ');
  return `${state}${alone.length === 0 ? '' : `; ${alone.join(', ')}`}${running || wasPlayed ? '' : '; no daemon runs'}`;
}

const quoted = (command: string): string => `\`${command}\``;

const MENDS: Readonly<Record<StatusReport['latches'][number]['kind'], string>> = {
  halted: '`kairos resume` ends it',
  reducing: 'positions are only closed until `kairos resume`',
  disarmed: '`kairos arm` shows the limits and lets orders go out',
  paused: 'positions are closed and none opened until `kairos resume`',
  disabled: '`kairos enable` ends it',
};

/** The first amount of a sentence: the profit of the day. */
const AMOUNT = /(?<=profit )\S+ [a-z]+/;

/** What was made today, and what each figure of the limit of a day's loss is held against. */
export function todayLine({ currency, profit, heldForDayLoss: held, missing, laneless }: NonNullable<StatusReport['today']>): string {
  const left = missing.join(', ');
  const since = held.some(({ isResumed }) => isResumed) ? ' since trading was last armed or resumed' : '';
  const counted = held.map((one) => moneyOf(one.profit, one.currency)).join(' and ');
  const forDayLoss = held.length === 0 ? '' : `; ${counted}${since}, as risk.maxDayLoss counts`;
  if (profit === null) return `profit is not known: ${left === '' ? 'a price is missing' : left}${forDayLoss}`;
  const said = `profit ${amountText(profit, currency)} since midnight UTC, at present prices${left === '' ? '' : `, without what cannot be valued (${left})`}${laneless.map((words) => `; ${words}`).join('')}`;
  return `${said}${forDayLoss}`;
}

function timeLine({ time, running }: StatusReport): string {
  if (!time) return running ? 'the service has not answered yet; orders wait' : '-';
  return `${timeWords(time)} (${time.at})`;
}

function timeWords({ reason, offsetMs, halfWidthMs }: TimeState): string {
  const known = offsetMs === null ? "the service's is not known" : `${apart(offsetMs)}, ± ${halfWidthMs} ms`;
  return reason === null ? known : `${known}; orders wait: ${reason}, ${REASONS[reason]}`;
}

function apart(offsetMs: number): string {
  return `the service's clock is ${Math.abs(offsetMs)} ms ${offsetMs < 0 ? 'behind' : 'ahead of'} ours`;
}
