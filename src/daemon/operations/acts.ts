import { existsSync } from 'node:fs';
import { armedSince, journalFacts, type UnknownOrder, writeAct } from '#adapters/journal/acts.ts';
import {
  type ControlFiles,
  controlFiles,
  haltByFile,
  isTaken,
  removeHalt,
  unreadableHalt,
  writeHalt,
} from '#adapters/journal/control-files.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';
import type { Settings } from '#config/settings.ts';
import type { DrillResult } from '#domain/drill-result.ts';
import { KairosError } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { type Latch, saidAgain } from '#domain/latch.ts';
import { NOT_ENABLED_MEND } from '#domain/not-enabled.ts';
import { noStrategy } from '#domain/unknown-strategy.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { daemonAt } from './daemon-access.ts';
import { askAct, askDrill } from './ops-client.ts';

/** The result of an act. */
export interface ActResult {
  readonly act: OperatorCommand['act'];
  /** The journal on which it was performed. */
  readonly journal: string;
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
  /** False while another program keeps the row of a pause out of the running daemon's journal. */
  readonly journaled: boolean;
  /** The HALT of the folder, which a resumption leaves to the other daemons; null where there is none. */
  readonly haltOfAll: string | null;
  /** Since when it was armed, where arming has changed nothing. */
  readonly armedSince: string | null;
  /** Orders of unknown outcome after it, which keep openings back whatever a resumption ends. */
  readonly unknowns: readonly UnknownOrder[];
}

/** The clocks of an act. */
export type ActTimers = Pick<Timers, 'wallMs' | 'monotonicMs' | 'after'>;

/** Who halts, and why. */
type By = Pick<OperatorCommand, 'who' | 'why'>;

/** What an act needs to know of the configuration. */
type ActSettings = Pick<Settings, 'ops' | 'strategies'> & { readonly journal: Pick<Settings['journal'], 'path'> };

const NOT_TIMED = { pid: null, shutMs: null, journaledMs: null, journaled: true, haltOfAll: null, armedSince: null, unknowns: [] };

/**
 * Performs an act of a person: through the control server of the daemon that holds the configured journal, else on the
 * journal itself. Throws a KairosError: NOT_FOUND for an unknown strategy or a journal without a run, JOURNAL_LEASED
 * while another program than a daemon holds it, OPS_UNAVAILABLE if the daemon does not answer, ACT_REFUSED for what the settings leave out,
 * and as `performHalt`.
 */
export async function performAct(act: OperatorCommand, settings: ActSettings, timers: ActTimers): Promise<ActResult> {
  const { path } = settings.journal;
  if (act.act === 'halt') return performHalt(act, path, timers);
  const files = controlFiles(path);
  const { run, latches } = journalFacts(path);
  const strategy = 'strategy' in act ? act.strategy : null;
  if (strategy !== null) checkStrategy(strategy, settings, latches);
  const standing = [...latches, ...haltByFile(files, latches)];
  const isLeftOut = act.act === 'enable' && settings.strategies.some(({ id, enabled }) => id === strategy && !enabled);
  const to = daemonAt(settings);
  // A running daemon knows what stands against it before its journal does.
  const since = act.act === 'arm' && !to ? armedSince(path, act, timers.wallMs()) : null;
  const isIdle =
    act.act === 'resume'
      ? standing.length === 0 && (strategy !== null || run === null)
      : since !== null ||
        (act.act === 'enable' && !isLeftOut && !latches.some((latch) => latch.kind === 'disabled' && latch.strategy === strategy));
  if (isIdle) return { act: act.act, journal: path, strategy, ...NOT_TIMED, ...outcome(), armedSince: since };
  if (to) {
    const answer = await askAct(act, to);
    return { act: act.act, journal: path, strategy, ...NOT_TIMED, ...answer, ...outcome(), pid: to.daemon.pid };
  }
  if (isLeftOut) throw leftOut(act.strategy);
  // Before any run a halt is a file only, which a resumption removes.
  if (run !== null || act.act !== 'resume') writeAct(path, act, timers.wallMs());
  if (act.act === 'resume' && strategy === null) removeHalt(files);
  return { act: act.act, journal: path, strategy, ...NOT_TIMED, ...outcome() };

  /** The pause of one strategy, which a resumption without a name leaves. */
  function isLeft({ kind }: Latch): boolean {
    return act.act === 'resume' && strategy === null && kind === 'paused';
  }

  function outcome(): Pick<ActResult, 'ended' | 'standing' | 'haltOfAll' | 'unknowns'> {
    const { latches: after, unknowns } = journalFacts(path);
    const stand = [...after, ...haltByFile(files, after)];
    const stands = ({ kind, strategy: of }: Latch): boolean => stand.some((latch) => latch.kind === kind && latch.strategy === of);
    return {
      unknowns,
      ended: standing.filter((latch) => !stands(latch)),
      standing: stand.filter((latch) => latch.strategy === null || latch.strategy === strategy || isLeft(latch)),
      haltOfAll:
        act.act === 'resume' && strategy === null ? ([files.haltOfAll, files.haltByName].find((file) => existsSync(file)) ?? null) : null,
    };
  }
}

/** The refusal to enable a strategy that the settings leave out. */
export const leftOut = (strategy: string): KairosError =>
  new KairosError('ACT_REFUSED', `${strategy} has enabled: false: ${NOT_ENABLED_MEND}`);

/**
 * Halts the daemon of a journal, or its next start. The file of the halt comes first, which the watchdog of a running daemon sees within
 * milliseconds whatever its loop is doing. Throws a KairosError, HALT_UNSEEN if no watchdog saw the file, or it was resumed from since.
 */
export async function performHalt({ who, why }: By, journal: string, timers: ActTimers): Promise<ActResult> {
  const files = controlFiles(journal);
  const start = timers.monotonicMs();
  writeHalt(files.halt, { who, why }, timers.wallMs());
  const done = { act: 'halt', journal, strategy: null, ended: [], ...NOT_TIMED } as const;
  const holder = Lease.holder(journalFiles(journal));
  if (holder) return { ...done, ...(await haltRunning({ by: { who, why }, journal, files, pid: holder.pid, start, timers })) };
  // Before any run it is a file only: the first start finds it.
  if (journalFacts(journal).run !== null) writeAct(journal, { act: 'halt', who, why }, timers.wallMs());
  const { latches } = journalFacts(journal);
  return { ...done, standing: [...latches, ...haltByFile(files, latches)] };
}

/** Runs a halt drill on the running daemon. Throws a KairosError, DRILL_REFUSED if no daemon can run one. */
export async function performDrill(by: { readonly who: string; readonly why: string }, settings: Settings): Promise<DrillResult> {
  const to = daemonAt(settings);
  if (!to) throw new KairosError('DRILL_REFUSED', `no daemon runs on ${settings.journal.path}: start one on paper, then drill`);
  return askDrill(by, to);
}

/** Time for a running daemon to shut its gate and journal the halt, in milliseconds; after that the command reports a failure. */
const SHUT_WITHIN_MS = 2_000;
const JOURNALED_WITHIN_MS = 2_000;
const LOOK_MS = 5;

async function haltRunning(from: {
  readonly by: By;
  readonly journal: string;
  readonly files: ControlFiles;
  readonly pid: number | null;
  readonly start: number;
  readonly timers: ActTimers;
}): Promise<Pick<ActResult, 'pid' | 'standing' | 'shutMs' | 'journaledMs' | 'journaled'>> {
  const { by, journal, files, pid, start, timers } = from;
  const standing = (): readonly Latch[] => latchesIn(journal);
  // A daemon out of file descriptors takes the halt, and cannot read who wants it.
  const said = [by, unreadableHalt(files.halt)];
  const journaled = (): boolean =>
    standing().some((latch) => latch.kind === 'halted' && said.some((one) => saidAgain(latch, one) === latch));
  const shutMs = await seenWithin(SHUT_WITHIN_MS, () => isTaken(files, files.halt) || journaled());
  if (shutMs === null) {
    const kill = pid === null ? 'end its process' : `kill -9 ${pid}`;
    throw new KairosError('HALT_UNSEEN', `${files.halt} is written, but the daemon's watchdog did not take note of it: ${kill} to be sure`);
  }
  await seenWithin(JOURNALED_WITHIN_MS, journaled);
  const journaledMs = journaled() ? passedMs() : null;
  // Only a resumption removes the file.
  if (journaledMs === null && !existsSync(files.halt))
    throw new KairosError('HALT_UNSEEN', `halted after ${shutMs} ms, but a resumption has ended it since: see \`kairos status\``);
  return { pid, standing: standing(), shutMs, journaledMs, journaled: journaledMs !== null };

  function passedMs(): number {
    return Math.ceil(timers.monotonicMs() - start);
  }

  async function seenWithin(ms: number, inspect: () => boolean): Promise<number | null> {
    for (;;) {
      const passed = passedMs();
      if (inspect()) return passed;
      if (passed > ms) return null;
      await pause(timers, LOOK_MS);
    }
  }
}

function latchesIn(journal: string): readonly Latch[] {
  try {
    return journalFacts(journal).latches;
  } catch {
    // A journal that cannot be read has not taken the halt; the gate is shut all the same.
    return [];
  }
}

/** Refuses a strategy that is neither configured nor latched, which is a typing error. */
function checkStrategy(strategy: string, settings: ActSettings, latches: readonly Latch[]): void {
  const known = new Set([...settings.strategies.map(({ id }) => id), ...latches.flatMap((latch) => latch.strategy ?? [])]);
  if (!known.has(strategy)) throw noStrategy(strategy, known);
}
