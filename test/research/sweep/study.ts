import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Study, type StudyOptions } from '#research/sweep/study.ts';
import { playTrial } from '#research/sweep/sweep-trial.ts';
import { strategyYaml } from '../../config/support.ts';
import { ROOT } from '../../support/root.ts';
import { type Bench, OFF } from '../backtest/session-bench.ts';

/** Goes long or short at once, and closes after so many quotes: in a window that rises or falls enough one of them earns. */
export const TIMED = `import { buy, close, param, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'timed',
  params: { side: param.choice('long', ['long', 'short']), until: param.int(120, { min: 1, max: 900 }) },
  signals: ({ quotes$ }) => quotes$.pipe(map((_quote, n) => n)),
  decide: (n, { position, amount }, { side, until }) => {
    if (n >= until) return position.isFlat ? undefined : close(100, 'out');
    return position.isFlat ? (side === 'long' ? buy(amount, 'in') : sell(amount, 'in')) : undefined;
  },
});
`;
/** The configuration that plays it. */
export const TIMED_YAML = `${strategyYaml({ use: 'timed' })}${OFF}account: { allowShort: [btcusd] }\nbacktest: { latency: 20 }\n`;

/** Opens the study of a bench's recording; closed when the test is finished. */
export async function studyOf({ config, cwd }: Bench, options: Partial<StudyOptions> = {}): Promise<Study> {
  const folders = { cwd, packaged: path.join(ROOT, 'strategies') };
  const study = await Study.open({ config, folders, data: undefined, from: undefined, to: undefined, ...options });
  onTestFinished(() => study.close());
  return study;
}

export const playing = (threads = 1, signal = new AbortController().signal) => ({ threads, signal, onShare: () => {} });

/** Plays trials in this thread: no other needs to start. */
export const here: NonNullable<StudyOptions['players']> = (base) =>
  Promise.resolve({
    play: async ({ jobs, signal, onResults }) => {
      for (const job of jobs) if (!signal.aborted) onResults([await playTrial(base, job)]);
    },
    close: () => Promise.resolve(),
  });
