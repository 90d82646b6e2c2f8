import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runChild } from '#adapters/threads/child.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { type RunReport, writeReportPage } from '#assembly/reporting.ts';
import { configOfText } from '#config/config-text.ts';
import { uncaughtByStrategy } from '#core/strategy/process-guard.ts';
import { KairosError } from '#domain/errors.ts';
import type { Headline } from '#report/headline.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { namedStrategies } from '#research/backtest/chosen-strategies.ts';
import { openSession } from '#research/backtest/open-session.ts';
import { Study } from '#research/sweep/study.ts';
import { reportOfSweep, sweep } from '#research/sweep/sweep.ts';
import { triedBefore } from '#research/sweep/tried-before.ts';
import type { BacktestChild, BacktestTask } from './backtest-process.ts';

/** How often it tells how far it is, in milliseconds. */
const TELL_EVERY_MS = 250;

interface PlayResult {
  readonly says: string;
  readonly report: RunReport | null;
  readonly headlines: readonly Headline[];
}

type OnShare = (share: number) => void;

async function backtest({ config: text, strategy, from, cwd }: BacktestTask, onShare: OnShare): Promise<PlayResult> {
  const config = namedStrategies(configOfText(text), [strategy]);
  const nothing = { data: undefined, against: undefined, outcomesOf: undefined, to: undefined, everyQuote: false, notice: () => {} };
  const folders = { cwd, packaged: PACKAGED_STRATEGIES };
  const session = await openSession({ ...nothing, config, asked: [strategy], folders, from: from ?? undefined, onShare });
  const run = session.play();
  const before = triedBefore(session, run, config);
  const headlines = before ? [before.headline] : [];
  const report = reportOfBacktest(session, run, { curve: undefined, tried: before?.tried, headlines });
  return { says: report.summary, report, headlines: report.headlines };
}

async function swept({ config, strategy, from, vary, by, cwd }: BacktestTask, on: SweepTold): Promise<PlayResult> {
  const folders = { cwd, packaged: PACKAGED_STRATEGIES };
  const only = [strategy];
  const of = { config: configOfText(config), folders, data: undefined, from: from ?? undefined, to: undefined, only, asked: only };
  const study = await Study.open(of);
  try {
    const wanted = { vary, random: undefined, seed: '1', by: by ?? undefined, search: undefined, trials: undefined, batch: undefined };
    const threads = Math.max(1, Math.floor(availableParallelism() / 2));
    const result = await sweep(study, wanted, { threads, signal: new AbortController().signal, ...on });
    return { says: result.summary, report: await reportOfSweep(study, result), headlines: result.headlines };
  } finally {
    await study.close();
  }
}

interface SweepTold {
  readonly onShare: OnShare;
  readonly onTrials: (count: number) => void;
}

runChild<BacktestChild>(async ({ data, post }) => {
  const { promise: uncaught, reject } = Promise.withResolvers<never>();
  process.on('uncaughtException', (error) => reject(uncaughtOf(error)));
  process.on('unhandledRejection', (error) => reject(uncaughtOf(error)));
  let toldMs = Number.NEGATIVE_INFINITY;
  const onShare = (share: number): void => {
    const now = performance.now();
    if (now - toldMs < TELL_EVERY_MS && share < 1) return;
    toldMs = now;
    post({ kind: 'share', share });
  };
  const onTrials = (count: number): void => post({ kind: 'trials', count });
  const playing = data.vary.length === 0 ? backtest(data, onShare) : swept(data, { onShare, onTrials });
  const { says, report, headlines } = await Promise.race([playing, uncaught]);
  const failed = headlines.find(({ level }) => level === 'failed');
  if (report === null) throw new KairosError('STRATEGY_FAILED', failed?.text ?? 'no trial is finished: no report is written');
  mkdirSync(path.dirname(data.file), { recursive: true });
  writeReportPage(report, data.file);
  post({ kind: 'done', says: failed?.text ?? says });
});

function uncaughtOf(error: unknown): unknown {
  const line = uncaughtByStrategy(error);
  return line === undefined ? error : new KairosError('STRATEGY_FAILED', `${line} (caught nowhere: in a promise or a timer of its own)`);
}
