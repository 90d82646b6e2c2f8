import { journalFiles } from '#adapters/journal/files.ts';
import type { LoadOptions } from '#config/load.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import { type ActResult, type ActTimers, performHalt } from './acts.ts';
import { daemonsMeant, type RunningDaemon, runningDaemons } from './running-daemons.ts';

/** What came of a halt of the daemons that are meant by a configuration. */
interface Halts {
  /** The journal of the settings. */
  readonly own: string;
  readonly dones: readonly ActResult[];
  /** Those of `dones` that a running daemon has taken note of. */
  readonly reached: readonly ActResult[];
  /** The fault of the settings, which keeps no halt. */
  readonly fault: KairosError | null;
  /** Of halts that failed. */
  readonly failed: Error | null;
  /** Why it is not known that the daemon that is meant was reached; null where it was. */
  readonly missed: KairosError | null;
  /** The running daemons that were not reached. */
  readonly others: readonly RunningDaemon[];
}

/**
 * Halts the daemons that are meant by `from`: first those that were started there and in the same way, before the settings are read; then the
 * one of the settings, whatever faults they have. `ready` says before that from where to read them.
 */
export async function haltMeant(
  by: WhoWhy,
  from: LoadOptions,
  { timers, ready = async () => from }: { readonly timers: ActTimers; readonly ready?: () => Promise<LoadOptions> },
): Promise<Halts> {
  const halted = (journals: Iterable<string>) => Promise.allSettled(Array.from(journals, (one) => performHalt(by, one, timers)));
  const daemons = runningDaemons();
  const here = new Set(daemonsMeant(from, daemons).map(({ journal }) => journal));
  const first = await halted(here);

  const { hasMissingFile, readPastFaults } = await import('./past-faults.ts');
  const { config, fault } = readPastFaults(await ready());
  const own = journalFiles(config.settings.journal.path).database;
  const halts = [...first, ...(await halted(here.has(own) ? [] : [own]))];
  const dones = halts.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const [failure, ...more] = halts.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
  const failed = more.length > 0 ? new KairosError('HALT_UNSEEN', [failure, ...more].map(messageOf).join('; ')) : (failure ?? null);
  const reached = dones.filter(({ shutMs }) => shutMs !== null);
  const isSure = reached.length > 0 && !(fault && hasMissingFile(config));
  const came = reached.length > 0 ? reachedText(reached) : `no daemon was reached: none runs on ${own}, and only its next start is halted`;
  const missed = isSure ? null : new KairosError(fault?.code ?? 'HALT_UNSEEN', fault ? `${came}; ${fault.message}` : came);
  const others = daemons.filter(({ journal }) => reached.every((one) => one.journal !== journal));
  return { own, dones, reached, fault, failed, missed, others };
}

/** Which processes are halted. */
export const reachedText = (reached: readonly ActResult[]): string =>
  reached.map(({ pid, journal }) => `process ${pid ?? '?'} is halted, which runs on ${journal}`).join('; ');
