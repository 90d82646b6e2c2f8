import { CommanderError } from 'commander';
// It starts its compiler in the folder in which it was loaded: one that stays.
import 'esbuild';
import { vi } from 'vitest';
import { runCommandLine } from '#cli/command-line.ts';
import { cleanEnvironment, type Ended, type StartOptions } from './process.ts';

/** What a command listens to until its process ends. */
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs `kairos` with its arguments as `runKairos` does, but in this process, which has its modules loaded: for tests that look at nothing of a
 * process. One command at a time has the folder, the environment and the output.
 */
export function kairosHere(args: readonly string[], { cwd, env }: Pick<StartOptions, 'cwd' | 'env'>): Promise<Ended> {
  const ended = before.then(() => run(args, cwd, cleanEnvironment(env)));
  before = ended.catch(() => {});
  return ended;
}

/** The refusal of a daemon whose machine, or the service, does not keep up. */
export const HURRIED = /\b(LAG|LANE_WAIT|CLOCK_UNSURE)\b/;

/** As `kairosHere`, once more while the daemon refuses since its machine, or the service, does not keep up. */
export async function unhurriedHere(args: readonly string[], options: Pick<StartOptions, 'cwd' | 'env'>): Promise<Ended> {
  const ended = await kairosHere(args, options);
  return HURRIED.test(ended.stderr) ? unhurriedHere(args, options) : ended;
}

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      said[stream] += String(chunk);
      return true;
    }),
  );
  let exited: number | undefined;
  const ending = vi.spyOn(process, 'exit').mockImplementation((code) => {
    exited ??= Number(code ?? process.exitCode ?? 0);
    throw new CommanderError(exited, 'exit', 'the process would end here');
  });
  const [home, own] = [process.cwd(), process.env];
  const heard = UNCAUGHT.map((event) => [event, new Set(process.rawListeners(event))] as const);
  try {
    process.chdir(cwd);
    process.env = { ...env };
    const failure = await runCommandLine(args);
    return { ...said, code: exited ?? failure ?? Number(process.exitCode ?? 0), signal: null };
  } finally {
    process.chdir(home);
    process.env = own;
    process.exitCode = undefined;
    for (const [event, listeners] of heard) {
      for (const one of process.rawListeners(event)) if (!listeners.has(one)) process.off(event, one as () => void);
    }
    for (const spy of [...spies, ending]) spy.mockRestore();
  }
}
