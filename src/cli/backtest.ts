import { type Command, Option } from 'commander';
import type { LoadedConfig } from '#config/load.ts';
import { ERRORS, KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { type Headline, headlinesJson, isCaveat } from '#report/headline.ts';
import { caveatTexts, toldTogether } from '#report/told-together.ts';
import type { ParityComparison } from '#research/backtest/against.ts';
import type { BacktestRun } from '#research/backtest/backtest.ts';
import type { CurvePoint, LatencyCurve } from '#research/backtest/curve.ts';
import type { BacktestOutcome } from '#research/backtest/outcome.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import type { WarmUpCheck } from '#research/backtest/warm-up-check.ts';
import { instant } from './instant.ts';
import { addLimitsOption, backtestConfig, type LimitsOptions } from './limits-option.ts';
import { resultPainted } from './meaning.ts';
import { figure, latencies } from './numbers.ts';
import { printJson, printNote, printTable, printText } from './output.ts';
import { outputFile } from './output-file.ts';
import { printProfit, profitNotes } from './profit-table.ts';
import { addConfigOptions } from './settings.ts';
import { endFailed, takeUncaught } from './strategy-failures.ts';

interface Options extends LimitsOptions {
  readonly json?: boolean;
  readonly data?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly latency?: readonly [number, ...number[]];
  readonly outcomes?: string;
  readonly signals?: string;
  readonly against?: string;
  readonly report?: string;
  readonly journal?: string;
  readonly everyQuote?: boolean;
  readonly checkWarmup?: boolean;
  readonly notes?: boolean;
  /** Ids of the strategies that are played; all that are enabled without it. */
  readonly strategy?: readonly string[];
}

/** Adds `backtest`: recorded quotes through the configured strategies. */
export function addBacktest(command: Command): void {
  addLimitsOption(addConfigOptions(command))
    .option('--data <path>', 'a recording, folder, run or last (default: recording.dir)')
    .option('--from <time>', 'quotes from this time on', instant)
    .option('--to <time>', 'quotes before this time', instant)
    .addOption(
      new Option('--strategy <id>', 'play this strategy of the settings alone, repeatable').argParser(
        (id: string, before: readonly string[] | undefined) => [...(before ?? []), id],
      ),
    )
    .addOption(new Option('--latency <ms,...>', 'milliseconds until an order arrives; several are compared').argParser(latencies))
    .option('--outcomes <run>', 'draw rejected and lost orders from this run')
    .option('--signals <file>', 'signals, as CSV or Parquet: at (arrival), made, id, source, fields')
    .option('--against <run>', "compare the fills with this run's, on its recording and latencies")
    .option('--report <file.html>', 'write the report as one HTML file with charts', outputFile('report'))
    .option('--journal <file>', 'keep the decisions in a new journal')
    .option('--every-quote', 'play every quote one by one: same result, slower')
    .option('--check-warmup', 'double each warm-up; exit 4 where a signal then differs')
    .option('--notes', 'also what was played and assumed')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos backtest --from 2026-11-20 --latency 0,50,100,250,500,1000')
    .action(backtest);
}

async function backtest(options: Options): Promise<void> {
  takeUncaught('ends');
  (await import('#assembly/load-guard.ts')).guardLoading();
  const { openSession } = await import('#research/backtest/open-session.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { progressBar } = await import('./progress.ts');
  const { namedStrategies } = await import('#research/backtest/chosen-strategies.ts');
  const [latencyMs] = options.latency ?? [];
  const set = [...(options.set ?? []), ...(latencyMs === undefined ? [] : [`backtest.latency=${latencyMs}`])];
  const config = namedStrategies(backtestConfig({ ...options, set }), options.strategy);
  const session = await openSession({
    config,
    asked: options.strategy,
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    data: options.data,
    from: options.from,
    to: options.to,
    against: options.against,
    outcomesOf: options.outcomes,
    signals: options.signals,
    everyQuote: options.everyQuote === true,
    notice: () => {},
    onShare: progressBar('backtest').show,
  });
  await (options.checkWarmup ? warmUps(session, options) : played(session, config, options));
}

async function played(session: BacktestSession, config: LoadedConfig, options: Options): Promise<void> {
  const { backtestHeadlines } = await import('#research/backtest/backtest-headlines.ts');
  const { outcomeOf } = await import('#research/backtest/outcome.ts');
  const { currencyOf, curveHeadlines, curveOf, netProfitOf } = await import('#research/backtest/curve.ts');
  const { against } = await import('#research/backtest/against.ts');
  const { triedBefore } = await import('#research/sweep/tried-before.ts');
  const { journal } = session.facts;
  const began = performance.now();
  const [first, ...others] = options.latency ?? [undefined];
  const run = session.play();
  const seconds = (performance.now() - began) / 1000;
  const outcome = outcomeOf(run);
  const before = triedBefore(session, run, config);
  const headlines = [...backtestHeadlines(session, run), ...(before ? [before.headline] : [])];
  const { above, below } = headlineTexts(headlines);
  let curve: LatencyCurve | undefined;
  if (first !== undefined && others.length > 0) {
    const currency = currencyOf(session, run);
    const points: CurvePoint[] = [{ latencyMs: first, outcome, netProfit: netProfitOf(session, run, currency), headlines: above }];
    for (const latencyMs of others) {
      const other = (await session.anew()).play(latencyMs);
      const netProfit = netProfitOf(session, other, currency);
      points.push({ latencyMs, outcome: outcomeOf(other), netProfit, headlines: headlineTexts(backtestHeadlines(session, other)).above });
    }
    curve = curveOf(points, currency);
  }
  const on = options.against === undefined ? undefined : (await session.anew()).playOn();
  const { decisions } = on ?? run;
  const { columns } = session.data;
  const held = options.against && against({ journal, run: options.against, decisions, wentOn: on !== undefined, columns });
  if (options.journal !== undefined) {
    const { keepBacktest } = await import('#research/backtest/save-run.ts');
    keepBacktest(session, run, options.journal, before);
  }
  const { reportOfBacktest } = await import('#research/backtest/backtest-report.ts');
  const report = reportOfBacktest(session, run, { curve, tried: before?.tried, headlines: before ? [before.headline] : [] });
  if (options.report !== undefined) {
    const { keepForPage, writeReportPage } = await import('#assembly/reporting.ts');
    writeReportPage(report, options.report);
    keepForPage(options.report, { journal: { path: journal } });
  }
  if (options.json) {
    const { reportJson } = await import('#report/json.ts');
    printJson({
      summary: report.summary,
      ...headlinesJson(headlines),
      ...outcome,
      notes: below,
      imports: session.data.imports,
      curve: curve ?? null,
      against: held || null,
      report: reportJson(report),
    });
    return endFailed(headlines, true);
  }
  const notes = [...toldTogether(headlines.filter(({ code }) => code === 'PLAYED')), ...below, ...workNotes(run, outcome, seconds)];
  printText(report.summary, resultPainted);
  for (const line of curve ? curveHeadlines(curve) : above) if (!notes.includes(line)) printText(line);
  if (curve) printText(`the figures up to the table of latencies are those at ${first} ms`);
  printOutcome(outcome, options);
  if (curve) printCurve(curve);
  if (held) printAgainst(held);
  if (options.report !== undefined) printNote(`wrote ${options.report}`);
  if (options.notes) for (const line of notes) printText(line);
  else printNote(`${notes.length} notes with --notes: what was played, what is assumed, what the columns are`);
  endFailed(headlines, false);
}

async function warmUps(session: BacktestSession, options: Options): Promise<void> {
  const { checkWarmUps } = await import('#research/backtest/warm-up-check.ts');
  const checks = checkWarmUps(session, await session.anew());
  for (const { text } of session.leftOut.headlines) printNote(text);
  const differing = checks.flatMap(({ values }) => values.filter(({ same }) => !same));
  if (options.json) {
    printJson(checks);
    if (differing.length > 0) process.exitCode = ERRORS.WARMUP_SHORT.exit;
    return;
  }
  printWarmUps(checks);
  const [one] = differing;
  if (one)
    throw new KairosError(
      'WARMUP_SHORT',
      `${differing.length} ${differing.length === 1 ? 'signal differs' : 'signals differ'} after twice the warm-up: ${one.strategy} ${one.name}; raise its warmup`,
    );
}

/** What the columns of the figures are, and how the quotes were played. */
function workNotes({ oneByOne }: BacktestRun, { quotes, from, to, profit }: BacktestOutcome, seconds: number): readonly string[] {
  return [
    ...(profit.length > 0 ? profitNotes('strategy', profit) : []),
    `${quotes} quotes from ${from} to ${to}, played in ${seconds.toFixed(1)} s, ${Math.round(quotes / Math.max(seconds, 0.001))} a second`,
    ...(oneByOne.length > 0 ? [oneByOneText(oneByOne)] : []),
  ];
}

/** Why quotes were played one by one, in one line: of each strategy, and of several with one reason together. */
function oneByOneText(played: BacktestRun['oneByOne']): string {
  const whys = [...Map.groupBy(played, ({ why }) => why)].map(([why, of]) => `${of.map(({ strategy }) => strategy).join(', ')} (${why})`);
  return `played quote by quote, which takes longer and comes to the same: ${whys.join('; ')}`;
}

/** Headlines on a terminal: warnings above the figures, assumptions below them. */
function headlineTexts(lines: readonly Headline[]): { readonly above: readonly string[]; readonly below: readonly string[] } {
  return { above: toldTogether(lines.filter((line) => !isCaveat(line))), below: caveatTexts(lines.filter(isCaveat)) };
}

function printOutcome(outcome: BacktestOutcome, { notes }: Options): void {
  const { orders, refusals, profit } = outcome;
  if (profit.length > 0) printProfit('strategy', profit);
  const states = Object.entries(orders).map(([state, count]) => `${count} ${state}`);
  // The share of exact fills has said how many were executed.
  if (Object.keys(orders).some((state) => state !== 'accepted')) printText(`orders: ${states.join(', ')}`);
  const refused = refusals.map(({ reason, count, strategies }) => `${count} ${reason}${notes ? ` (${strategies.join(', ')})` : ''}`);
  if (refused.length > 0) printText(`refused: ${refused.join(', ')}`);
}

function printCurve({ points, currency, breakEvenMs }: LatencyCurve): void {
  const isKnown = points.every(({ netProfit }) => typeof netProfit === 'number');
  const net = `net profit${isKnown ? ` ${currency}` : ''}`;
  printTable(
    ['latency ms', net, 'fills', 'expired', 'rejected', 'unknown', 'stopped'],
    points.map(({ latencyMs, netProfit, outcome: { net: sums, shares, orders, halted, reducing } }) => [
      String(latencyMs),
      // Without a rate, of each currency by itself.
      isKnown
        ? figure(netProfit)
        : Object.entries(sums)
            .map(([own, sum]) => `${figure(sum)} ${own}`)
            .join(', '),
      String(shares.fills),
      String(orders.expired ?? 0),
      String(orders.rejected ?? 0),
      String(orders.unknown ?? 0),
      halted ? `HALTED ${halted.reason}` : reducing ? `REDUCING ${reducing.reason}` : '-',
    ]),
    { signed: [net] },
  );
  printText(`break-even latency: ${typeof breakEvenMs === 'number' ? `${figure(breakEvenMs, 1)} ms` : breakEvenMs}`);
}

function printAgainst({ run, wentOn, fills, played, same, others, unfilled, acts }: ParityComparison): void {
  const all = same + others.length;
  const share = all === 0 ? '' : ` (${figure((same / all) * 100, 2)} %)`;
  printText(`run ${run}: ${same} of ${all} fills${share} came on the same quote in both; ${fills} in the run, ${played} in the backtest`);
  if (unfilled.run > 0) printText(`${unfilled.same} of its ${unfilled.run} orders that the service did not execute came to the same`);
  if (wentOn) printText('it went on with what earlier runs had left, and so does this comparison; the figures above begin flat');
  if (acts.length > 0) {
    printText('what people did in that run is not played; what came after it may differ:');
    printTable(
      ['at', 'act', 'strategy', 'who', 'why'],
      acts.map(({ at, act, strategy, who, why }) => [at, act, strategy ?? 'all', oneLine(who), oneLine(why)]),
    );
  }
  if (others.length === 0) return;
  printTable(
    ['at', 'fill of', 'order', 'strategy', 'side', 'size', 'cause'],
    others.map(({ at, in: of, order, strategy, side, size, cause }) => [at, of, order, strategy, side, size, oneLine(cause)]),
  );
}

function printWarmUps(checks: readonly WarmUpCheck[]): void {
  const text = (value: unknown): string => (value === undefined ? '-' : oneLine(typeof value === 'string' ? value : JSON.stringify(value)));
  for (const { strategy, warmUp, at, values } of checks) {
    const differing = values.filter(({ same }) => !same);
    if (at === null) printText(`${strategy}: warm-up ${warmUp}`);
    else if (differing.length === 0)
      printText(`${strategy}: ${values.length} values are the same after a warm-up of ${warmUp} and of twice that`);
    else {
      const isShort = differing.some(({ once }) => once === undefined);
      const says = isShort ? `a warm-up of ${warmUp} is too short` : `what came before a warm-up of ${warmUp} still counts`;
      printText(`${strategy}: ${says}; at ${at}`);
      printTable(
        ['signal', `after ${warmUp}`, 'after twice that', 'apart'],
        differing.map(({ name, once, twice, apart }) => [name, text(once), text(twice), apartText(apart)]),
      );
    }
  }
}

/** How far two values are apart in percent; `-` where more than numbers differs. */
const apartText = (apart: number | null): string => (apart === null ? '-' : `${(apart * 100).toPrecision(3)} %`);
