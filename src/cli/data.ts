import type { Command } from 'commander';
import type { Gap, LaneRecording } from '#adapters/recording/catalog.ts';
import { ERRORS, KairosError } from '#domain/errors.ts';
import { addDataExport } from './data-export.ts';
import { addDataFolder, dataFolder, type FolderOptions } from './data-folder.ts';
import { addDataImport } from './data-import.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, configFrom } from './settings.ts';

interface Options extends FolderOptions {
  readonly json?: boolean;
}

/** Number of gaps that are shown. */
const SHOWN = 20;

interface GapOptions extends Options {
  readonly over?: number;
}

/** Adds `data`: recordings. */
export function addData(data: Command): void {
  data.addHelpText('after', '\nExample:\n  kairos data list');

  withJson(addDataFolder(data.command('list')))
    .description('lanes that are recorded, with their span and number of quotes')
    .addHelpText('after', '\nExample:\n  kairos data list var/recordings --json')
    .action(list);

  withJson(addDataFolder(data.command('verify')))
    .description('read recordings from end to end; exit 4 when something is missing or was changed')
    .addHelpText('after', '\nExample:\n  kairos data verify')
    .action(verify);

  withJson(addDataFolder(data.command('gaps')))
    .description('times without a quote, the longest first')
    .option('--over <seconds>', 'shortest silence shown (default: 10)', wholeNumber(1, 86_400))
    .addHelpText('after', '\nExample:\n  kairos data gaps --over 30')
    .action(gaps);

  withJson(addDataFolder(data.command('seal'), 'folder of recordings'))
    .description('seal finished logs into Parquet, and remove those past recording.keepDays')
    .addHelpText('after', '\nExample:\n  kairos data seal')
    .action(seal);

  data
    .command('formats')
    .description('files that an import reads, with an example each')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos data formats')
    .action(formats);

  addDataImport(data);
  addDataExport(data);
}

async function formats({ json }: { readonly json?: boolean }): Promise<void> {
  const { FORMATS } = await import('#adapters/recording/import/formats.ts');
  if (json) return printJson(FORMATS.map(({ name, of, options, example }) => ({ name, of, options, example })));
  for (const { of, options, example } of FORMATS)
    printLine([`${of}${options === undefined ? '' : ` (${options})`}`, ...example.map((line) => `  ${line}`), ''].join('\n'));
}

function withJson(command: Command): Command {
  return addConfigOptions(command).option('--json', 'print JSON');
}

/** The readable recordings; prints a note for each other one. */
async function readable(dir: string | undefined, options: Options): Promise<readonly string[]> {
  const { readableIn } = await import('#adapters/recording/catalog.ts');
  const { logs, leftOut } = readableIn(dataFolder(dir, options));
  leftOut.forEach(printNote);
  return logs;
}

async function list(dir: string | undefined, options: Options): Promise<void> {
  const { lanesIn } = await import('#adapters/recording/catalog.ts');
  const { overlapping } = await import('#adapters/recording/spans.ts');
  const found = (await readable(dir, options)).flatMap(lanesIn);
  const doubled = overlapping(found);
  const lanes = found.map((one) => ({
    ...one,
    overlaps: doubled.flatMap(([a, b]) => (a === one ? [b.run] : b === one ? [a.run] : [])),
  }));
  if (options.json) return printJson(lanes);
  printTable(
    ['run', 'product', 'lane', 'from', 'to', 'quotes', 'bytes', ...(doubled.length === 0 ? [] : ['overlaps'])],
    lanes.map(({ run, product, lane, from, to, quotes, bytes, overlaps }) => [
      ...[run, product, lane, from, to, `${quotes}`, bytes === null ? '-' : `${bytes}`],
      ...(doubled.length === 0 ? [] : [overlaps.length === 0 ? '-' : overlaps.join(' ')]),
    ]),
  );
}

async function verify(dir: string | undefined, options: Options): Promise<void> {
  const { recordingsIn } = await import('#adapters/recording/catalog.ts');
  const { verifyRun } = await import('#adapters/recording/verify-run.ts');
  const { progressBar } = await import('./progress.ts');
  const paths = recordingsIn(dataFolder(dir, options), printNote);
  const bar = progressBar('checking recordings');
  const verdicts = paths.map((path, n) => verifyRun(path, (share) => bar.show((n + share) / paths.length)));
  bar.end();
  const faults = verdicts.flatMap(({ run, path, faults }) => faults.map((fault) => `${run || path}: ${fault}`));
  if (options.json) printJson(verdicts);
  else
    for (const { run, lines, sealed, faults } of verdicts)
      if (faults.length === 0) printLine(`${run} is whole: ${lines} events, ${sealed ? 'sealed' : 'in a log'}`);
  if (faults.length === 0) return;
  if (options.json) {
    process.exitCode = ERRORS.RECORDING_DAMAGED.exit;
    return;
  }
  for (const fault of faults.slice(0, -1)) printNote(`kairos: ${fault}`);
  throw new KairosError('RECORDING_DAMAGED', faults.at(-1) ?? '');
}

async function gaps(dir: string | undefined, options: GapOptions): Promise<void> {
  const { gapsIn, lanesIn } = await import('#adapters/recording/catalog.ts');
  const { gapsBetween } = await import('#adapters/recording/between.ts');
  const logs = await readable(dir, options);
  const within = logs.flatMap((path) => gapsIn(path, options.over === undefined ? undefined : options.over * 1000));
  const lanes = logs.flatMap(lanesIn);
  const between = gapsBetween(lanes).filter(({ seconds }) => seconds > (options.over ?? 0));
  const found = [...within, ...between].sort((a, b) => b.seconds - a.seconds);
  if (options.json) return printJson(found);
  if (found.length === 0)
    return printLine(
      `no lane was silent for more than ${options.over === undefined ? '10 s, or what is usual on it' : `${options.over} s`}`,
    );
  printTable(
    ['run', 'lane', 'from', 'to', 'seconds'],
    found.slice(0, SHOWN).map(({ run, lane, from, to, seconds }) => [run, lane, from, to, `${seconds}`]),
  );
  if (found.length > SHOWN) printLine(`and ${found.length - SHOWN} shorter ones; --json has all`);
  const summed = [...silencesText(within, lanes), ...(between.length === 0 ? [] : [`${between.length} between recordings`])];
  const shortest = options.over === undefined ? '10 s, or what is usual on its lane' : `${options.over} s`;
  printLine(`${summed.join('; ')}; each is longer than ${shortest}; --over SECONDS sets another threshold`);
}

/** How many silences of lanes there were, how much of their time, and the longest. */
function silencesText(gaps: readonly Gap[], lanes: readonly LaneRecording[]): readonly string[] {
  const [longest] = gaps.toSorted((a, b) => b.seconds - a.seconds);
  if (!longest) return [];
  const silent = gaps.reduce((sum, { seconds }) => sum + seconds, 0);
  const recorded = lanes.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 1000, 0);
  const share = recorded === 0 ? '' : `, ${((silent / recorded) * 100).toPrecision(3)} % of the time of all lanes`;
  return [
    `${gaps.length} ${gaps.length === 1 ? 'silence' : 'silences'}${share}`,
    `the longest ${longest.seconds} s, of ${longest.lane} from ${longest.from}`,
  ];
}

async function seal(dir: string | undefined, options: Options): Promise<void> {
  const { tidyRecordings } = await import('#adapters/recording/retention.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { recording } = configFrom(options).settings;
  const told: string[] = [];
  const sealed = tidyRecordings({
    dir: dataFolder(dir, options),
    keepDays: recording.keepDays,
    now: systemTimers.wallMs(),
    tell(level, text) {
      told.push(text);
      if (level === 'warn') printNote(`kairos: ${text}`);
      else if (!options.json) printLine(text);
    },
  });
  if (options.json) return printJson({ sealed, told });
  if (sealed === 0) printLine('nothing was left to seal');
}
