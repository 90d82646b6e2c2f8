import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Film } from '#lab/arena/server/film.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import type { FilmReport } from './film-entry.ts';

interface RecordOptions {
  readonly plan: SimulationPlan;
  /** Called with the progress, from 0 to 1. */
  readonly onShare: (share: number) => void;
  /** Modules that the process preloads, and its additional environment variables. */
  readonly preload?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface RecordedFilm {
  readonly film: Film;
  readonly outcome: SimulationOutcome;
}

/** Plays and films a plan in a process of its own with simulated time. Rejects if that process dies. */
export function recordFilm({ plan, onShare, preload = [], env = {}, signal }: RecordOptions): Promise<RecordedFilm> {
  const child = fork(fileURLToPath(new URL('film-entry.ts', import.meta.url)), {
    execArgv: ['--no-warnings', '--max-semi-space-size=16', ...preload.flatMap((module) => ['--import', module])],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(signal && { signal }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<RecordedFilm>();
  let complaint = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaint = `${complaint}${text}`.slice(-2_000);
  });
  child.on('message', (report: FilmReport) => {
    if (report.kind === 'ready') child.send(plan);
    else if (report.kind === 'far') onShare(report.share);
    else resolve({ film: report.film, outcome: report.outcome });
  });
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`seed ${plan.seed}: the process that played it ended with ${code}: ${complaint.trim()}`)));
  return promise.finally(() => {
    if (child.connected) child.disconnect();
  });
}
