import { existsSync, readFileSync, statSync } from 'node:fs';
import { writePage } from '#assembly/reporting.ts';
import type { RecordPaths } from '#assembly/run-record.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { type ComparedResult, comparedReport, comparedTrial } from '#report/comparison/compared.ts';
import type { Comparison } from '#report/comparison/comparison.ts';
import { reportJson } from '#report/json.ts';
import { comparisonPage } from '#report/page/comparison-page.ts';
import { reportOfRun } from './run-report.ts';

/** Where the run of a name is: its journal, and how it is called there. */
interface RunPlace {
  readonly journal: string;
  readonly run: string;
}

/**
 * What a name of a run stands for: a run of the configured journal, or `JOURNAL.db` for its last run and `JOURNAL.db:RUN` for another one. Throws NOT_FOUND for a
 * journal that is not there, USAGE for a file that is none.
 */
export function runNamedIn(name: string, configured: string): RunPlace {
  if (existsSync(name)) return { journal: journalAt(name), run: 'last' };
  const [file = '', run = ''] = [name.slice(0, name.lastIndexOf(':')), name.slice(name.lastIndexOf(':') + 1)];
  if (file !== '' && run !== '' && existsSync(file)) return { journal: journalAt(file), run };
  if (/[/\\]|\.db$/.test(name))
    throw new KairosError('NOT_FOUND', `there is no journal ${name}: name a file, or a run of kairos journal runs`);
  return { journal: configured, run: name };
}

/** The file itself. Throws USAGE for one that is no database, as results of other forms are. */
function journalAt(file: string): string {
  if (!statSync(file).isFile() || readFileSync(file).subarray(0, DATABASE.length).toString('latin1') === DATABASE) return file;
  const takes = 'a run, a journal (FILE.db, FILE.db:RUN), or several results side by side, of which JSON is read as well';
  throw new KairosError(
    'USAGE',
    `${file} is no journal: report takes ${takes}; \`sweep --out FILE.json\` writes trials for it (FILE.json:1)`,
  );
}

/** How each SQLite file begins. */
const DATABASE = 'SQLite format 3';

const JSON_NAME = /^(?<file>.+\.json)(:(?<place>\d+))?$/;

/** True where a name is of a JSON result. */
export const isJsonResult = (name: string): boolean => JSON_NAME.test(name);

/**
 * A result by its name: `FILE.json`, printed by `backtest --json` or `report --json`; `TRIALS.json:3`, the third trial of what `sweep --out` or `sweep --json`
 * wrote; else a run, as `runNamedIn` reads it. Throws USAGE for a file that holds no result, NOT_FOUND, and what making a report throws.
 */
export function comparedNamed(name: string, settings: RecordPaths, options: { readonly riskFree?: number }): ComparedResult {
  const { file, place } = JSON_NAME.exec(name)?.groups ?? {};
  if (file === undefined) {
    const { journal, run } = runNamedIn(name, settings.journal.path);
    const report = reportOfRun({ settings: { ...settings, journal: { path: journal } }, run, ...options });
    return comparedReport(name === 'last' || journal !== settings.journal.path ? name : report.run.run, reportJson(report));
  }
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return place === undefined ? comparedReport(name, json) : comparedTrial(name, trialsIn(json)[Number(place) - 1]);
  } catch (error) {
    const hint = 'name what `backtest --json` or `report --json` printed, or FILE.json:3 for the third trial of `sweep --out FILE.json`';
    throw new KairosError('USAGE', `${name} is no result (${messageOf(error)}): ${hint}`);
  }
}

/** The trials of a list, or of what `sweep --json` printed, the best first. */
function trialsIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  const ranking = typeof json === 'object' && json !== null && 'ranking' in json ? json.ranking : undefined;
  const trials = typeof ranking === 'object' && ranking !== null && 'trials' in ranking ? ranking.trials : undefined;
  if (Array.isArray(trials)) return trials;
  throw new RangeError('it has no trials');
}

/** Writes a comparison as one HTML file. Throws USAGE where it cannot be written. */
export const writeComparison = (comparison: Comparison, file: string): void => writePage(comparisonPage(comparison), file);
