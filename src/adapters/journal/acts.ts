import { existsSync } from 'node:fs';
import type { Decision } from '#domain/decision.ts';
import { never } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime, type Millis, strategyId } from '#domain/names.ts';
import { appendAtRest } from './at-rest.ts';
import { controlFiles, haltByFile } from './control-files.ts';
import { instanceOf } from './instance.ts';
import type { LeaseHolder } from './lease.ts';
import { lastArmedByPerson, wasRehearsed } from './named-rows.ts';
import { JournalReader } from './reader.ts';

/**
 * Writes an act of a person into a journal that no daemon holds, so that the next start finds it latched, or ended.
 * Takes the lease itself: throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where no run has begun yet. The row
 * belongs to the last run and to no event of its inbox (`inbox_seq` 0).
 */
export function writeAct(path: string, act: OperatorCommand, now: Millis): void {
  appendAtRest(path, () => [rowOf(act, { path, at: now })]);
}

/** An order of unknown outcome, which keeps openings in its product back. */
export interface UnknownOrder {
  readonly order: string;
  readonly product: string;
}

/** What an act needs to know of a journal, also while a daemon writes it; empty if there is no journal yet. */
interface JournalFacts {
  /** The run that began last. */
  readonly run: string | null;
  readonly mode: string | null;
  readonly latches: readonly Latch[];
  readonly unknowns: readonly UnknownOrder[];
  /** The process that holds it now. */
  readonly holder: LeaseHolder | null;
}

/** Reads them from the journal at `path`. Throws what opening a journal throws. */
export function journalFacts(path: string): JournalFacts {
  return answerOf(path, factsIn) ?? { run: null, mode: null, latches: [], unknowns: [], holder: null };
}

function factsIn(reader: JournalReader): JournalFacts {
  const run = reader.lastRun();
  const unknowns = reader.openOrders().filter(({ state }) => state === 'unknown');
  return {
    run: run?.run_id ?? null,
    mode: run?.mode ?? null,
    latches: reader.latches(),
    unknowns: unknowns.map(({ order_id: order, product }) => ({ order, product })),
    holder: reader.holder(),
  };
}

/** What the journal at `path` answers; undefined where there is none yet. Throws what opening a journal throws. */
export function answerOf<Answer>(path: string, ask: (reader: JournalReader) => Answer): Answer | undefined {
  if (!existsSync(path)) return undefined;
  const reader = JournalReader.open(path);
  try {
    return ask(reader);
  } finally {
    reader.close();
  }
}

/** A configuration that a person armed, as JSON. */
interface ArmedConfig {
  readonly at: string;
  readonly who: string;
  readonly config: string;
  readonly configHash: string;
  readonly build: string;
  /** The place of the journal, by `instanceOf`; undefined where the row is older than such places. */
  readonly instance: string | undefined;
}

/** Whether orders were executed here before, by a rehearsal or a strategy. */
export const isRehearsed = (path: string): boolean => answerOf(path, (reader) => reader.named(wasRehearsed)) ?? false;

/** The configuration that a person armed last; null where there was none. */
export function lastArmed(path: string): ArmedConfig | null {
  const armed = answerOf(path, (reader) => reader.named(lastArmedByPerson));
  if (armed === undefined) return null;
  const { who, config, configHash, build, instance } = armed.detail;
  return { at: isoTime(armed.at), who, config, configHash, build, instance };
}

/** Since when this is armed, in this place and with nothing against it, so that arming it again would only forget losses; null where it is not. */
export function armedSince(path: string, { configHash, build }: Pick<ArmedConfig, 'configHash' | 'build'>, now: Millis): string | null {
  const { latches } = journalFacts(path);
  const stops = [...latches, ...haltByFile(controlFiles(path), latches)].filter(({ kind }) => kind !== 'paused' && kind !== 'disabled');
  const armed = lastArmed(path);
  const isSame = armed?.configHash === configHash && armed.build === build && armed.instance === instanceOf(path, now);
  return isSame && stops.length === 0 ? armed.at : null;
}

function rowOf(act: OperatorCommand, { path, at }: { readonly path: string; readonly at: Millis }): Decision {
  const { who, why } = act;
  const row = {
    at,
    inboxSeq: 0,
    product: null,
    reason: 'BY_PERSON',
    quoteId: null,
    orderId: null,
    strategy: 'strategy' in act && act.strategy !== null ? strategyId(act.strategy) : null,
    detail: { who, why },
  } as const;
  switch (act.act) {
    case 'halt':
      return { ...row, kind: 'halted' };
    case 'resume':
      return {
        ...row,
        kind: 'resumed',
        detail: row.strategy === null ? { ...row.detail, anew: true, leaves: 'single pauses' } : row.detail,
      };
    case 'pause':
      return { ...row, kind: 'paused' };
    case 'enable':
      return { ...row, kind: 'enabled' };
    case 'arm':
      return {
        ...row,
        kind: 'armed',
        detail: {
          ...row.detail,
          configHash: act.configHash,
          config: act.config,
          build: act.build,
          instance: instanceOf(path, at),
          anew: true,
        },
      };
    default:
      return never(act);
  }
}
