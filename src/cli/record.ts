import { type Command, Option } from 'commander';
import type { Decimal } from '#domain/decimal.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { type Lane, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { stopOnBrokenPipe } from './broken-pipe.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { printLine, printNote, printResult } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options extends ConfigOptions {
  readonly product?: string;
  readonly size?: Decimal;
  readonly value?: Decimal;
  readonly seconds?: number;
  readonly json?: boolean;
}

/** Adds `record`: quotes without trading. */
export function addRecord(command: Command): void {
  addConfigOptions(command)
    .option('--product <code>', 'one lane of this product, in place of the configured ones')
    .addOption(new Option('--size <number>', 'size of that lane in base currency').argParser(positiveNumber).conflicts('value'))
    .addOption(new Option('--value <number>', 'value of that lane in quote currency').argParser(positiveNumber))
    .option('--seconds <number>', 'end after so long', wholeNumber(1, 31_536_000))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos record --product btcusd --size 0.01 --seconds 600')
    .action(record);
}

async function record(options: Options): Promise<void> {
  const { settings, mode } = configFrom(options);
  const named = laneOf(options);
  (await import('#assembly/load-guard.ts')).guardLoading();
  const { lanesOf, loadStrategies } = await import('#assembly/assemble.ts');
  const { shownInputs } = await import('#assembly/bound-inputs.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { startRecording } = await import('#daemon/run/record/record.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const strategies = named ? [] : await loadStrategies(settings, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
  const ended = Promise.withResolvers<void>();
  stopOnBrokenPipe();
  const off = onStopSignal(() => ended.resolve());
  const recording = await startRecording({
    mode,
    settings,
    lanes: named ? [named] : lanesOf(settings, { max: settings.lanes.max, reserve: 0 }),
    shown: shownInputs(strategies),
    timers: systemTimers,
    notice: (_, text) => printNote(`kairos: ${text}`),
    onFault: ended.reject,
  });
  if (!options.json) printLine(`recording quotes of ${recording.baseUrl} into ${recording.path}; nothing is traded; Ctrl-C stops`);
  process.send?.('ready');
  if (options.seconds !== undefined) systemTimers.after(options.seconds * 1000, () => ended.resolve());
  const fault = await ended.promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const quotes = recording.quotes();
  const bytes = await recording.stop();
  off();
  if (fault) throw fault.error instanceof KairosError ? fault.error : new Error(messageOf(fault.error), { cause: fault.error });
  const { run, path } = recording;
  const told = `${quotes} quotes recorded and sealed in ${path}; npx kairos backtest --data ${path}`;
  printResult({ run, path, quotes, bytes }, told, options);
}

function laneOf({ product, size, value }: Options): Lane | undefined {
  if (product === undefined) {
    if (size || value) throw new KairosError('USAGE', '--size and --value go with --product: they are those of its lane');
    return undefined;
  }
  if (size) return laneFor(productCode(product), { base: size });
  if (value) return laneFor(productCode(product), { quote: value });
  throw new KairosError('USAGE', '--product needs --size N or --value N: quotes are for an amount');
}
