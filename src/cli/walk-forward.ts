import { type Command, InvalidArgumentError } from 'commander';
import { paramsText } from '#apps/backtest/replay/trial.ts';
import type { WalkForward } from '#apps/backtest/sweep/walk-forward.ts';
import { durationMs } from '#core/strategy/duration.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { headlinesJson } from '#report/headline.ts';
import { figure } from './numbers.ts';
import { printJson, printLine, printTable } from './output.ts';
import { takeUncaught } from './strategy-failures.ts';
import { addTrialOptions, searching, type TrialOptions, withStudy } from './sweep.ts';

interface Options extends TrialOptions {
  readonly train: Millis;
  readonly test: Millis;
  readonly embargo: Millis;
  readonly anchored?: boolean;
}

/** Adds `walk-forward`: parameters chosen on the past, held against what came next. */
export function addWalkForward(program: Command): void {
  addTrialOptions(program.command('walk-forward'))
    .description('chooses parameters on one stretch of the recording and tests them on the next one, over and over')
    .requiredOption('--train <time>', 'length of a training, such as 5d or 12h', span)
    .requiredOption('--test <time>', 'length of the test behind it', span)
    .option('--embargo <time>', 'left out between the two', spanOrNone, 0)
    .option('--anchored', 'every training begins where the recording does')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos walk-forward --train 5d --test 1d --embargo 1h --vary cross-btc.fast=5..25:5')
    .action(walkForward);
}

async function walkForward(options: Options): Promise<void> {
  takeUncaught('ends');
  const { walkForward: play } = await import('#apps/backtest/sweep/walk-forward.ts');
  await withStudy(options, 'walk-forward', async (study, playing) => {
    const { train, test, embargo, anchored = false } = options;
    const windows = { trainMs: train, testMs: test, embargoMs: embargo, anchored };
    const result = await play(study, { ...searching(options), ...windows }, playing);
    if (options.json) printJson({ ...result, ...headlinesJson(result.headlines) });
    else await printWalkForward(result);
    return result;
  });
}

async function printWalkForward({ by, steps, wanted, finished, outOfSample, headlines, log }: WalkForward): Promise<void> {
  const { judgedLines, printHeadlines } = await import('./sweep-lines.ts');
  const { metricText } = await import('#apps/backtest/sweep/sweep-table.ts');
  const { remarkOf } = await import('#apps/backtest/sweep/sweep-headlines.ts');
  const { METRICS } = await import('#apps/backtest/sweep/sweep-ranking.ts');
  printLine(`${finished} of ${wanted} trials; parameters chosen by ${METRICS[by.by].label} (${by.why})`);
  printHeadlines(headlines);
  printTable(
    ['test from', 'parameters', `${METRICS[by.by].label} in training`, 'return', 'in the test', 'net profit', 'trades', ''],
    steps.map(({ fold, train, test, why }) =>
      [
        isoTime(fold.test.from),
        train ? paramsText(train.params) : '-',
        train ? metricText(train, by.by) : '-',
        train ? metricText(train, 'totalReturn') : '-',
        test ? metricText(test, 'totalReturn') : '-',
        test ? metricText(test, 'netProfit') : '-',
        String(test?.figures.trades ?? 0),
        test ? remarkOf(test) : `not traded: ${why}`,
      ].map(oneLine),
    ),
  );
  if (!outOfSample) return;
  const { netProfit, chained, promised, drawdown, fills } = outOfSample;
  const percent = (share: number): string => `${figure(share * 100, 4)} %`;
  printLine(`out of sample: return ${percent(chained)}, all tests chained (the trainings promised ${percent(promised)})`);
  printLine(
    `net profit ${netProfit === null ? 'n/a' : figure(netProfit, 4)}, ${fills} fills, maximum equity drawdown ${percent(drawdown)} at the ends of days and tests`,
  );
  for (const line of judgedLines(outOfSample, `${outOfSample.trials === 1 ? 'walk-forward' : 'walk-forwards'} of these quotes`))
    printLine(line);
  printLine(`log: ${log}`);
}

function span(text: string): Millis {
  const ms = spanOrNone(text);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('It must be longer than nothing, such as 30m, 12h or 5d.');
}

function spanOrNone(text: string): Millis {
  const ms = /^\d{1,9}(\.\d{1,3})?(ms|s|m|h|d)$/.test(text) ? durationMs(text, 'option') : Number.NaN;
  if (Number.isSafeInteger(ms)) return ms;
  throw new InvalidArgumentError('It must be a length of time such as 30m, 12h or 5d.');
}
