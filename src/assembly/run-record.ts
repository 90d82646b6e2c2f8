import path from 'node:path';
import { type LedgerPart, runSpans } from '#adapters/journal/booked.ts';
import type { LedgerRow } from '#adapters/journal/paging.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { type DecisionRecord, decisionOf } from '#adapters/journal/records.ts';
import type { RunRow } from '#adapters/journal/tables.ts';
import { isRecorded } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { PastFill } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import { nearest } from '#domain/nearest.ts';
import { fillIn } from '#report/held-by-fills.ts';
import type { LedgerMovement, RunMoney, RunRecord } from '#report/record.ts';

/** The journal that has a run, and where recordings are. */
export interface RecordPaths {
  readonly journal: Pick<Settings['journal'], 'path'>;
  readonly recording: Pick<Settings['recording'], 'dir'>;
}

/** Reads a run, by its id or as `last`, from its journal. Throws NOT_FOUND for an unknown run. */
export function runRecord(journal: JournalReader, name: string): RunRecord {
  return journal.snapshot(() => {
    const run = runNamed(journal, name);
    const { strategies } = configured(run.run_id, run.config_json);
    const records = journal.decisionsOf(run.run_id);
    return {
      ...moneyOf(journal, run, { last: records.at(-1)?.at, booked: { fills: journal.fills(), ledger: [...journal.ledger()] } }),
      book: run.book,
      mode: run.mode,
      version: run.version,
      configHash: run.config_hash,
      config: run.config_json,
      endState: run.end_state,
      isRunning: run.end_state === null && run.run_id === journal.lastRun()?.run_id && journal.holder() !== null,
      latches: journal.latches(justBefore(run.started_at)),
      strategies,
      decisions: decoded(records),
      begun: begunBefore(journal, records),
      tags: journal.tags(),
    };
  });
}

/** The ids of the runs before one. */
export function runsBefore(journal: JournalReader, run: RunRow): ReadonlySet<string> {
  const runs = journal.named(runSpans).map(({ run_id }) => run_id);
  return new Set(runs.slice(0, runs.indexOf(run.run_id)));
}

/** What a run did with money, from its journal at one instant. `last`: when the last of its decisions was made. */
export function moneyOf(
  journal: JournalReader,
  run: RunRow,
  { last, booked }: { readonly last: string | null | undefined; readonly booked: LedgerPart },
): Pick<RunRecord, keyof RunMoney> {
  const { currency, strategies } = configured(run.run_id, run.config_json);
  const before = runsBefore(journal, run);
  const own = new Set(strategies.map(({ id }) => id));
  const ledger = { earlier: [] as LedgerMovement[], run: [] as LedgerMovement[] };
  const filledIn = new Map<string, string>();
  const rows = booked.ledger.filter(({ book, run_id }) => book !== TREASURY && (run_id === run.run_id || before.has(run_id)));
  for (const { run_id, book } of rows) if (run_id === run.run_id) own.add(book);
  for (const row of rows) {
    if (row.order_id !== null) filledIn.set(row.order_id, row.run_id);
    if (own.has(row.book)) (row.run_id === run.run_id ? ledger.run : ledger.earlier).push(movementOf(row));
  }
  const fills = booked.fills.filter(({ strategy }) => own.has(strategy));
  const of = (wanted: (id: string) => boolean): readonly PastFill[] => fills.filter(({ orderId }) => wanted(filledIn.get(orderId) ?? ''));
  return {
    run: run.run_id,
    startedAt: Date.parse(run.started_at),
    endedAt: Date.parse(run.ended_at ?? last ?? run.started_at),
    currency,
    earlier: { fills: of((id) => before.has(id)), ledger: ledger.earlier },
    fills: of((id) => id === run.run_id),
    ledger: ledger.run,
  };
}

/** What was latched then was latched before the run. */
const justBefore = (at: string): string => isoTime(Date.parse(at) - 1);

/** What earlier runs decided of orders that are settled as executed in a run. */
function begunBefore(journal: JournalReader, records: readonly DecisionRecord[]): readonly Decision[] {
  const own = new Set(records.flatMap(({ kind, order_id }) => (kind === 'approved' ? (order_id ?? []) : [])));
  const earlier = records.filter((one) => one.order_id !== null && !own.has(one.order_id) && fillIn(decisionOf(one)) !== null);
  return earlier
    .flatMap(({ order_id, seq }) => journal.rowsOf(order_id ?? '', seq))
    .map(decisionOf)
    .filter(({ kind }) => kind === 'intent' || kind === 'approved');
}

function* decoded(records: readonly DecisionRecord[]): Generator<Decision, void> {
  for (const record of records) yield decisionOf(record);
}

/** Currency and strategies of the configuration that the run had. */
export function configured(run: string, json: string): Pick<RunRecord, 'currency' | 'strategies'> {
  const { account, strategies } = recordedSettings(run, json);
  return {
    currency: account.currency,
    strategies: strategies.map(({ id, use, product, params, enabled }) => ({ id, use, product, params, enabled })),
  };
}

export function movementOf({ at, book, product, kind, currency, amount }: LedgerRow): LedgerMovement {
  return { at: Date.parse(at), book, product, kind, currency, amount };
}

/** The log of a run: in the configured folder, else in that which the run had, as it lies from its journal. */
export function recordingOf({ run_id, config_json }: RunRow, { journal, recording }: RecordPaths): string {
  const here = logPath(recording.dir, run_id);
  if (isRecorded(here)) return here;
  const then = recordedSettings(run_id, config_json);
  const beside = path.join(path.dirname(journal.path), path.relative(path.dirname(then.journal.path), then.recording.dir));
  const there = logPath(path.isAbsolute(then.recording.dir) ? then.recording.dir : beside, run_id);
  return isRecorded(there) ? there : here;
}

/** A run by its id, by the six digits that its id ends with, or the `last`. Throws NOT_FOUND, naming one that there is. */
export function runNamed(journal: JournalReader, name: string): RunRow {
  const run = name === 'last' ? journal.lastRun() : journal.run(name);
  if (run) return run;
  const ids = journal.runs().map(({ run_id }) => run_id);
  // The last six digits of an id name a run if they are unique.
  const [short, ...others] = /^[0-9a-f]{6}$/.test(name) ? ids.filter((id) => id.endsWith(`-${name}`)) : [];
  const named = short === undefined || others.length > 0 ? undefined : journal.run(short);
  if (named) return named;
  const near = nearest(name, ids, Math.max(2, Math.floor(name.length / 3))) ?? ids.at(-1);
  const hint = near === undefined ? 'it has none yet' : `there is ${near} (kairos journal runs)`;
  throw new KairosError('NOT_FOUND', `the journal ${journal.path} has no run ${JSON.stringify(name)}: ${hint}`);
}
