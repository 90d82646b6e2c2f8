import { existsSync } from 'node:fs';
import { type JournalFacts, journalFacts, writeAct } from '#adapters/journal/acts.ts';
import { type ControlFiles, controlFiles, haltByFile, removeHalt, writeHalt } from '#adapters/journal/control-files.ts';
import type { Settings } from '#config/settings.ts';
import type { DrillResult } from '#domain/drill-result.ts';
import { KairosError } from '#domain/errors.ts';
import type { Latch, OperatorCommand } from '#domain/event.ts';
import { noStrategy } from '#domain/unknown-strategy.ts';
import type { Timers } from '#ports/timers.ts';
import { askDaemon, askDrill } from './ops-client.ts';
import { type Published, publishedIn, tokenOfDaemon } from './ops-files.ts';

/** The result of an act. */
export interface Done {
  readonly act: OperatorCommand['act'];
  readonly strategy: string | null;
  /** The process of the daemon that performed it; null if none runs. */
  readonly pid: number | null;
  /** Latches that the act removed. */
  readonly ended: readonly Latch[];
  /** Latches of those whom it concerns that stand after it. */
  readonly standing: readonly Latch[];
  /** Milliseconds until the running daemon's last gate was shut, and until its journal had the halt; null if not observed. */
  readonly shutMs: number | null;
  readonly journaledMs: number | null;
  /** The HALT of the folder, which a resumption leaves to the other daemons; null where there is none. */
  readonly haltOfAll: string | null;
}

type ActTimers = Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;

/** What an act needs to know of the configuration. */
type ActSettings = Pick<Settings, 'ops' | 'strategies'> & { readonly journal: Pick<Settings['journal'], 'path'> };

const NOT_TIMED = { pid: null, shutMs: null, journaledMs: null, haltOfAll: null };

/**
 * Performs an act of a person: through the control server of the daemon that holds the configured journal, else on the
 * journal itself. A halt is first written as a file, which the watchdog of a running daemon sees within milliseconds
 * whatever its loop is doing. Throws a KairosError: NOT_FOUND for an unknown strategy or a journal without a run,
 * JOURNAL_LEASED while another program than a daemon holds it, OPS_UNAVAILABLE if the daemon does not answer,
 * HALT_UNSEEN if no watchdog saw the file.
 */
export async function performAct(act: OperatorCommand, settings: ActSettings, timers: ActTimers): Promise<Done> {
  const { path } = settings.journal;
  const files = controlFiles(path);
  const start = timers.monotonicMs();
  if (act.act === 'halt') writeHalt(files.halt, { who: act.who, why: act.why }, timers.wallMs());
  const { run, latches, holder } = journalFacts(path);
  const strategy = 'strategy' in act ? act.strategy : null;
  if (strategy !== null) checkStrategy(strategy, settings, latches);
  const daemon = daemonOf(files, holder);
  if (holder && act.act === 'halt') return haltRunning({ act, path, files, pid: holder.pid, start, timers });
  const standing = [...latches, ...haltByFile(files, latches)];
  const isIdle =
    act.act === 'resume'
      ? standing.length === 0 && (strategy !== null || run === null)
      : act.act === 'enable' && !latches.some((latch) => latch.kind === 'disabled' && latch.strategy === strategy);
  if (isIdle) return { act: act.act, strategy, ...NOT_TIMED, ...outcome() };
  if (daemon) {
    await askDaemon(act, daemon, tokenOfDaemon(settings, files.token));
    return { act: act.act, strategy, ...NOT_TIMED, ...outcome(), pid: daemon.pid };
  }
  // Before any run a halt is a file only: the first start finds it, and a resumption removes it.
  if (run !== null || !['halt', 'resume'].includes(act.act)) writeAct(path, act, timers.wallMs());
  if (act.act === 'resume' && strategy === null) removeHalt(files);
  return { act: act.act, strategy, ...NOT_TIMED, ...outcome() };

  function outcome(): Pick<Done, 'ended' | 'standing' | 'haltOfAll'> {
    const { latches: after } = journalFacts(path);
    const stand = [...after, ...haltByFile(files, after)];
    const stands = ({ kind, strategy: of }: Latch): boolean => stand.some((latch) => latch.kind === kind && latch.strategy === of);
    return {
      ended: standing.filter((latch) => !stands(latch)),
      standing: stand.filter((latch) => latch.strategy === null || latch.strategy === strategy),
      haltOfAll: act.act === 'resume' && strategy === null && existsSync(files.haltOfAll) ? files.haltOfAll : null,
    };
  }
}

/** Runs a halt drill on the running daemon. Throws a KairosError, DRILL_REFUSED if no daemon can run one. */
export async function performDrill(by: { readonly who: string; readonly why: string }, settings: Settings): Promise<DrillResult> {
  const { path } = settings.journal;
  const files = controlFiles(path);
  const daemon = daemonOf(files, journalFacts(path).holder);
  if (!daemon) throw new KairosError('DRILL_REFUSED', `no daemon runs on ${path}: start one on paper, then drill`);
  return askDrill(by, daemon, tokenOfDaemon(settings, files.token));
}

/** The control address of the process that holds the journal, if it is a daemon. */
export function daemonOf(files: ControlFiles, holder: JournalFacts['holder']): Published | undefined {
  const published = publishedIn(files.ops);
  return published && published.pid === holder?.pid ? published : undefined;
}

/** Time for a running daemon to shut its gate and journal the halt, in milliseconds; after that the command reports a failure. */
const SHUT_WITHIN_MS = 2_000;
const JOURNALED_WITHIN_MS = 2_000;
const LOOK_MS = 5;

async function haltRunning(from: {
  readonly act: OperatorCommand;
  readonly path: string;
  readonly files: ControlFiles;
  readonly pid: number | null;
  readonly start: number;
  readonly timers: ActTimers;
}): Promise<Done> {
  const { act, path, files, pid, start, timers } = from;
  const journaled = (): boolean => journalFacts(path).latches.some(({ kind }) => kind === 'halted');
  const shutMs = await seenWithin(SHUT_WITHIN_MS, () => existsSync(files.halted) || journaled());
  if (shutMs === null) {
    const kill = pid === null ? 'end its process' : `kill -9 ${pid}`;
    throw new KairosError('HALT_UNSEEN', `${files.halt} is written, but the daemon's watchdog did not take note of it: ${kill} to be sure`);
  }
  await seenWithin(JOURNALED_WITHIN_MS, journaled);
  const journaledMs = journaled() ? timers.monotonicMs() - start : null;
  return { act: act.act, strategy: null, pid, ended: [], standing: journalFacts(path).latches, shutMs, journaledMs, haltOfAll: null };

  async function seenWithin(ms: number, inspect: () => boolean): Promise<number | null> {
    for (;;) {
      const passed = timers.monotonicMs() - start;
      if (inspect()) return passed;
      if (passed > ms) return null;
      await new Promise<void>((resolve) => timers.after(LOOK_MS, resolve));
    }
  }
}

/** Refuses a strategy that is neither configured nor latched, which is a typing error. */
function checkStrategy(strategy: string, settings: ActSettings, latches: readonly Latch[]): void {
  const known = new Set([...settings.strategies.map(({ id }) => id), ...latches.flatMap((latch) => latch.strategy ?? [])]);
  if (!known.has(strategy)) throw noStrategy(strategy, known);
}
