import { type Command, InvalidArgumentError, Option } from 'commander';
import { KairosError } from '../domain/errors.ts';
import type { Millis } from '../domain/names.ts';
import type { ExportFormat } from '../recording/export-file.ts';
import { printJson, printLine, printNote } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly out: string;
  readonly format?: ExportFormat;
  readonly product?: readonly string[];
  readonly from?: Millis;
  readonly to?: Millis;
  readonly json?: boolean;
}

/** Adds `data export`: recorded quotes for other programs. */
export function addDataExport(data: Command): void {
  addConfigOptions(data.command('export'))
    .description('write recorded quotes into one CSV or Parquet file, every figure in a column')
    .argument('[dir]', 'folder of recordings, or of one (default: recording.dir)')
    .requiredOption('--out <file>', 'file to be written; .csv or .parquet says the format')
    .addOption(new Option('--format <format>', 'the format, where the name does not say it').choices(['csv', 'parquet']))
    .option('--product <code>', 'only this product, repeatable', (code: string, before: readonly string[] = []) => [
      ...before,
      code.toLowerCase(),
    ])
    .option('--from <time>', 'arrived at this time or later, ISO 8601', time)
    .option('--to <time>', 'arrived before this time, ISO 8601', time)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos data export --product btcusd --from 2026-11-20T00:00:00Z --out btcusd.csv')
    .action(exportData);
}

async function exportData(dir: string | undefined, options: Options): Promise<void> {
  const { out, product, from, to } = options;
  const format = options.format ?? formatOf(out);
  const { openColumns } = await import('../recording/open-columns.ts');
  const { exportQuotes } = await import('../recording/export-file.ts');
  const { progressBar } = await import('./progress.ts');
  const filter = { ...(product && { products: product }), ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const lanes = openColumns(dir ?? configFrom(options).settings.recording.dir, filter, printNote);
  if (lanes.length === 0) throw new KairosError('NOT_FOUND', 'no such quotes are recorded; kairos data list shows what is');
  const progress = progressBar(`exporting ${out}`);
  let quotes: number;
  try {
    quotes = exportQuotes(lanes, { file: out, format, onShare: progress.show });
  } finally {
    progress.end();
  }
  if (options.json) return printJson({ file: out, format, lanes: lanes.length, quotes });
  printLine(`${quotes} quotes of ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'} in ${out}`);
}

function formatOf(file: string): ExportFormat {
  const [, ending] = /\.(csv|parquet)$/i.exec(file) ?? [];
  if (ending === undefined) throw new KairosError('USAGE', `${file}: end its name with .csv or .parquet, or add --format`);
  return ending.toLowerCase() === 'csv' ? 'csv' : 'parquet';
}

function time(text: string): Millis {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text)
    ? Date.parse(/T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) || text.length === 10 ? text : `${text}Z`)
    : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time such as 2026-11-20T09:30:00Z, or a day.');
  return at;
}
