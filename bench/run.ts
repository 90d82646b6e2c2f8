import { benchBacktest } from './backtest.ts';
import { benchBundle } from './bundle.ts';
import { benchDecode } from './decode.ts';
import { benchFirstPaint } from './first-paint.ts';
import { benchImport } from './import-csv.ts';
import { benchJournal } from './journal.ts';
import { benchLive } from './live.ts';
import { type BenchName, type BenchOptions, readOptions, UsageError } from './options.ts';
import { benchPage } from './page.ts';
import { benchRecordingRead } from './recording-read.ts';
import { benchRecordingWrite } from './recording-write.ts';
import { benchRecover } from './recover.ts';
import { benchRefusals } from './refusals.ts';
import { benchReplay } from './replay.ts';
import { benchComparison } from './replay-comparison.ts';
import { benchScreen } from './replay-screen.ts';
import { benchSweep } from './replay-sweep.ts';
import { RESULTS, reportText, writeResults } from './report.ts';
import type { BenchResult } from './result.ts';
import { benchRisk } from './risk.ts';
import { benchStart } from './start.ts';
import { benchStop } from './stop.ts';
import { benchWebhooks } from './webhooks.ts';

type Bench = (options: BenchOptions) => Promise<readonly BenchResult[]>;

const RUN: Readonly<Record<BenchName, Bench>> = {
  decode: async (options) => [benchDecode(options)],
  journal: async (options) => [await benchJournal(options)],
  recover: async (options) => [await benchRecover(options)],
  replay: async (options) => [await benchReplay(options), await benchComparison(options)],
  start: async (options) => [await benchStart(options)],
  live: async ({ lanes, quick }) => {
    const results: BenchResult[] = [];
    for (const count of lanes) results.push(await benchLive(count, { quick }));
    return results;
  },
  risk: async (options) => [await benchRisk(options)],
  refusals: async (options) => [await benchRefusals(options)],
  stop: async (options) => [await benchStop(options)],
  webhooks: async (options) => [await benchWebhooks(options)],
  backtest: async (options) => [await benchBacktest(options)],
  page: async (options) => [await benchPage(options)],
  'first-paint': async (options) => [await benchFirstPaint(options)],
  import: async (options) => [await benchImport(options)],
  sweep: async (options) => [await benchSweep(options)],
  screen: async (options) => [await benchScreen(options)],
  bundle: async (options) => [await benchBundle(options)],
  comparison: async (options) => [await benchComparison(options)],
  recording: async (options) => [await benchRecordingRead(options), await benchRecordingWrite(options)],
};

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const results: BenchResult[] = [];
  for (const name of options.only) {
    for (const result of await RUN[name](options)) {
      results.push(result);
      console.log(reportText(result));
    }
  }
  const what = options.only.length === 1 ? (options.only[0] ?? 'all') : 'all';
  const file = writeResults(results, { folder: RESULTS, what: options.quick ? `${what}-quick` : what, at: new Date() });
  console.log(`\nwritten to ${file}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  if (error.isHelp) console.log(error.message);
  else console.error(error.message);
  process.exitCode = error.isHelp ? 0 : 2;
}
