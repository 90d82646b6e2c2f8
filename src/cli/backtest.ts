import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Millis } from '../domain/names.ts';
import type { LatencyCurve } from '../wiring/backtest/curve.ts';
import type { BacktestOutcome } from '../wiring/backtest/outcome.ts';
import { oneLine } from './decision-lines.ts';
import { instant } from './instant.ts';
import { figure } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly data?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly latency?: readonly number[];
  readonly outcomes?: string;
  readonly journal?: string;
}

/** Adds `backtest`: recorded quotes through the configured strategies. */
export function addBacktest(program: Command): void {
  addConfigOptions(program.command('backtest'))
    .description('plays recorded quotes through the configured strategies, in virtual time')
    .option('--data <path>', 'a recording, or a folder of them (default: recording.dir)')
    .option('--from <time>', 'quotes from this time on', instant)
    .option('--to <time>', 'quotes before this time', instant)
    .addOption(new Option('--latency <ms,...>', 'milliseconds until an order arrives; several are compared').argParser(latencies))
    .option('--outcomes <run>', 'rejected and lost orders are drawn from this run of the journal')
    .option('--journal <file>', 'keep the decisions in a new journal')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos backtest --from 2026-11-20 --latency 0,50,100,250,500,1000')
    .action(backtest);
}

async function backtest(options: Options): Promise<void> {
  const { BacktestSession } = await import('../wiring/backtest/session.ts');
  const { outcomeOf } = await import('../wiring/backtest/outcome.ts');
  const { curveOf } = await import('../wiring/backtest/curve.ts');
  const { PACKAGED_STRATEGIES } = await import('../wiring/run.ts');
  const session = await BacktestSession.open({
    config: configFrom(options),
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    data: options.data,
    from: options.from,
    to: options.to,
    measuredIn: undefined,
    outcomesOf: options.outcomes,
    notice: () => {},
  });
  const began = performance.now();
  const [first, ...others] = options.latency ?? [undefined];
  const run = session.play(first);
  const seconds = (performance.now() - began) / 1000;
  const outcome = outcomeOf(run);
  const points = others.map((latencyMs) => ({ latencyMs: latencyMs ?? 0, outcome: outcomeOf(session.play(latencyMs)) }));
  const curve = points.length === 0 ? undefined : curveOf([{ latencyMs: first ?? 0, outcome }, ...points]);
  if (options.journal !== undefined) session.save(run, options.journal);
  if (options.json) return printJson({ ...outcome, remarks: session.remarks, curve: curve ?? null });
  printOutcome(outcome, session.remarks);
  if (curve) printCurve(curve);
  printNote(`${outcome.quotes} quotes in ${seconds.toFixed(1)} s, ${Math.round(outcome.quotes / Math.max(seconds, 0.001))} a second`);
}

function printOutcome(outcome: BacktestOutcome, remarks: readonly string[]): void {
  const { shares, halted, orders, refusals, profit } = outcome;
  const share =
    shares.fills === 0
      ? 'no order was executed'
      : `${figure((shares.exact / shares.fills) * 100, 4)} % of ${shares.fills} fills are exact, at a recorded quote of that lane and size; ${shares.modelled} modelled`;
  printLine(share);
  if (halted) printLine(oneLine(`HALTED at ${halted.at}: ${halted.reason}, ${halted.why}`));
  printLine(`${outcome.quotes} quotes from ${outcome.from} to ${outcome.to}; latency ${outcome.latency}`);
  for (const remark of remarks) printLine(oneLine(`note: ${remark}`));
  printLine(
    `no market impact is assumed: ${shares.withinValidity} of ${shares.fills} fills came within one validity of an earlier one in the product`,
  );
  if (profit.length > 0) {
    printTable(
      ['strategy', 'currency', 'trades', 'won', 'fees', 'profit', 'return', 'unrealised (estimate)'],
      profit.map((row) => [
        row.group,
        row.currency,
        String(row.trades),
        String(row.won),
        figure(row.fees.toString()),
        figure(row.profit.toString()),
        row.return === undefined ? 'n/a' : `${figure(row.return.toNumber() * 100, 4)} %`,
        row.unrealised === undefined ? 'n/a' : figure(row.unrealised.toString()),
      ]),
    );
  }
  const states = Object.entries(orders).map(([state, count]) => `${count} ${state}`);
  if (states.length > 0) printLine(`orders: ${states.join(', ')}`);
  if (refusals.length > 0) printLine(`refused: ${refusals.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`);
}

function printCurve({ points, currency, breakEvenMs }: LatencyCurve): void {
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
  printLine(`break-even latency: ${typeof breakEvenMs === 'number' ? `${figure(breakEvenMs, 4)} ms` : breakEvenMs}`);
}

function latencies(text: string): readonly number[] {
  const list = text.split(',').map((one) => (/^\d{1,5}(\.\d{1,3})?$/.test(one.trim()) ? Number(one) : Number.NaN));
  if (list.length > 0 && list.length <= 50 && list.every((ms) => ms <= 60_000)) return list;
  throw new InvalidArgumentError('It must be milliseconds such as 50, or several such as 0,50,250.');
}
