import { KairosError } from '../domain/errors.ts';
import type { ActOfPerson, Latch } from '../domain/event.ts';
import { nearest } from '../domain/nearest.ts';
import { latchesIn, writeAct } from '../journal/acts.ts';
import type { Timers } from '../ports/timers.ts';
import type { Settings } from './config/settings.ts';

/** What came of an act. */
export interface Done {
  readonly act: ActOfPerson['act'];
  readonly strategy: string | null;
  /** What the act ended: latches that were there before and are gone. */
  readonly ended: readonly Latch[];
}

/**
 * Does an act of a person on the configured journal. Throws a KairosError: NOT_FOUND for a strategy that nobody knows
 * or a journal without a run, JOURNAL_LEASED while another process holds it.
 */
export function performAct(act: ActOfPerson, settings: Settings, timers: Pick<Timers, 'wallMs'>): Done {
  const { path } = settings.journal;
  const before = latchesIn(path);
  const strategy = act.act === 'halt' ? null : act.strategy;
  if (strategy !== null) checkStrategy(strategy, settings, before);
  writeAct(path, act, timers.wallMs());
  const after = latchesIn(path);
  const stands = (latch: Latch): boolean => after.some(({ kind, strategy: of }) => kind === latch.kind && of === latch.strategy);
  return { act: act.act, strategy, ended: before.filter((latch) => !stands(latch)) };
}

/** A strategy that is neither configured nor latched is a slip of the finger. */
function checkStrategy(strategy: string, settings: Settings, latches: readonly Latch[]): void {
  const known = new Set([...settings.strategies.map(({ id }) => id), ...latches.flatMap((latch) => latch.strategy ?? [])]);
  if (known.has(strategy)) return;
  const near = nearest(strategy, known);
  throw new KairosError(
    'NOT_FOUND',
    `there is no strategy ${JSON.stringify(strategy)}${near === undefined ? '' : `; the nearest is ${near}`}`,
  );
}
