import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Study, type StudyOptions } from '#apps/backtest/sweep/study.ts';
import { ROOT } from '../../../support/process.ts';
import type { Bench } from '../session-bench.ts';

/** Opens the study of a bench's recording; closed when the test is finished. */
export async function studyOf({ config, cwd }: Bench, options: Partial<StudyOptions> = {}): Promise<Study> {
  const folders = { cwd, packaged: path.join(ROOT, 'strategies') };
  const study = await Study.open({ config, folders, data: undefined, from: undefined, to: undefined, ...options });
  onTestFinished(() => study.close());
  return study;
}

export const playing = (threads = 1, signal = new AbortController().signal) => ({ threads, signal, onShare: () => {} });
