import { RunRows } from '#adapters/journal/run-rows.ts';
import { isRecorded, openRun, type RecordedRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { type LoadedStrategy, loadStrategies } from '#assembly/assemble.ts';
import { VERSION } from '#assembly/package.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import type { Engine } from '#core/engine/engine.ts';
import { changedSince } from '#domain/behaviours.ts';
import { KairosError } from '#domain/errors.ts';
import type { InboxEvent, NumberedEvent, StartFacts } from '#domain/event.ts';
import { isLentLane } from '#domain/lane.ts';
import { isBacktest } from '#domain/mode.ts';
import { isoTime } from '#domain/names.ts';
import { ParityJournal, type RowDifference, timeOf } from './parity-journal.ts';
import { engineOfRun, factsOf, type Outputs } from './recorded-run.ts';

interface ParityOptions {
  readonly settings: Settings;
  /** A run of the journal, by its id or `last`. */
  readonly run: string;
  /** Folders in which strategy modules are looked for. */
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** Called with the played share. */
  readonly onShare?: (share: number) => void;
  /** Loaded strategies of a recorded configuration; by default they are loaded from `folders`. */
  readonly strategiesOf?: (then: Settings) => readonly LoadedStrategy[];
}

/** The result of a replay. */
export interface Parity {
  readonly run: string;
  /** True if everything compared is equal. */
  readonly equal: boolean;
  /** True if all of the run's decisions could be compared. */
  readonly complete: boolean;
  /** Known before the first event: another version of Kairos, other sources of strategies. */
  readonly remarks: readonly string[];
  readonly compared: {
    readonly events: number;
    readonly quotes: number;
    readonly decisions: number;
    readonly orders: number;
    readonly ledger: number;
    readonly outputs: number;
  };
  /** Time of the last event that was played. */
  readonly upTo: string;
  /** Why the rest could not be compared or was not expected to be equal; empty for none. */
  readonly limits: readonly string[];
  readonly difference: RowDifference | undefined;
}

/**
 * Replays the recorded inbox of a run in a fresh engine and compares everything with the run's journal: decisions,
 * orders, ledger, and requests to the service. Sends and writes nothing. Throws a KairosError if journal, recording or
 * strategies cannot be read.
 */
export async function parityOf({ settings, run, folders, onShare = () => {}, strategiesOf }: ParityOptions): Promise<Parity> {
  const rows = RunRows.open(settings.journal.path, run);
  try {
    const { run_id, mode } = rows.run;
    if (isBacktest(mode)) {
      const why = 'it was played from its data and recorded nothing. `kairos backtest` with the same settings and data plays it again';
      throw new KairosError('USAGE', `run ${run_id} is a backtest: ${why}`);
    }
    const path = logPath(settings.recording.dir, run_id);
    if (!isRecorded(path)) {
      const why = 'recording.enabled was false, or it was removed';
      throw new KairosError('RECORDING_UNREADABLE', `run ${run_id} cannot be played again: there is no recording ${path}; ${why}`);
    }
    const log = openRun(path);
    const facts = factsOf(log);
    const then = recordedSettings(run_id, facts.config);
    const strategies = strategiesOf?.(then) ?? (await loadStrategies(then, folders));
    const journal = new ParityJournal(rows);
    const played = play({ ...engineOfRun({ settings: then, strategies, journal }), journal, log, facts, onShare });
    const result = verdict({ rows, journal, played, remarks: remarksOf(facts, strategies) });
    rows.refuseArchived();
    return result;
  } finally {
    rows.close();
  }
}

/** How far a recording was played, and why it stopped. */
interface ReplayExtent {
  readonly events: number;
  readonly quotes: number;
  readonly outputs: number;
  readonly last: NumberedEvent | undefined;
  readonly limits: readonly string[];
}

interface Playing {
  readonly engine: Engine;
  readonly outputs: Outputs;
  readonly journal: ParityJournal;
  readonly log: RecordedRun;
  readonly facts: StartFacts;
  readonly onShare: (share: number) => void;
}

function play({ engine, outputs, journal, log, facts, onShare }: Playing): ReplayExtent {
  const earlier = new Set(facts.unknowns.map(({ order }) => order.id));
  const limits: string[] = [];
  let last: NumberedEvent | undefined;
  let events = 0;
  let quotes = 0;
  let faulted = false;
  journal.begin(facts);
  for (const item of log.itemsTold(onShare)) {
    if (item.kind === 'conflated') continue;
    const { event } = item;
    if (last && event.n !== last.n + 1) {
      limits.push(`the recording lacks the events ${last.n + 1} to ${event.n - 1}, after ${isoTime(last.at)}`);
      break;
    }
    const missing = lackingOutput(event.event, outputs, earlier);
    if (missing && !journal.isBeyond) journal.lacksOutput(missing);
    else if (missing) {
      limits.push(`event ${event.n} answers a request that rested on decisions which were never written`);
      break;
    }
    journal.handling(event.n);
    try {
      engine.handle(event);
    } catch (error) {
      // As the daemon does with an uncaught error: it halts once and goes on to its end.
      if (faulted) throw error;
      faulted = true;
      engine.fault(error);
    }
    journal.handled();
    last = event;
    events += 1;
    if (event.event.kind === 'quote') quotes += 1;
    if (journal.difference) break;
  }
  if (log.torn) limits.push(`the recording's last line was cut off, as a power cut leaves it`);
  return { events, quotes, last, limits, outputs: outputs.orders.size + outputs.lanes.size + outputs.actions.size };
}

/** The event, if it answers a request that the engine did not make. */
function lackingOutput(event: InboxEvent, outputs: Outputs, earlier: ReadonlySet<string>): Readonly<Record<string, unknown>> | undefined {
  switch (event.kind) {
    case 'answer':
      return outputs.orders.has(event.orderId) || earlier.has(event.orderId) ? undefined : { output: 'order', id: event.orderId };
    case 'action':
      return outputs.actions.has(event.answer.actionId) ? undefined : { output: 'action', id: event.answer.actionId };
    case 'lane':
      return !isLentLane(event.change.lane) || outputs.lanes.has(event.change.lane) ? undefined : { output: 'lane', id: event.change.lane };
    default:
      return undefined;
  }
}

function verdict(parts: {
  readonly rows: RunRows;
  readonly journal: ParityJournal;
  readonly played: ReplayExtent;
  readonly remarks: readonly string[];
}): Parity {
  const { rows, journal, played, remarks } = parts;
  const { run_id, ended_at, end_state } = rows.run;
  const limits = [...played.limits];
  const { waiting } = journal;
  let tables = { orders: 0, ledger: 0 };
  let complete = false;
  if (!journal.difference && waiting) {
    // A decision's cause is recorded before it, so a row without one shows that the recording lost its end.
    const after = journal.firstAfter(played.last?.n ?? 0);
    if (after) {
      limits.push(
        `the recording ends at event ${played.last?.n ?? 0}; the journal goes on with event ${after.inbox_seq} at ${timeOf(after)}`,
      );
    } else journal.lacks(waiting);
  } else if (!journal.difference) {
    complete = true;
    if (journal.failed) limits.push('the journal could not be written: what came after was not compared');
    tables = journal.compareTables(rows);
  }
  if (journal.beyond > 0 && !journal.difference && !journal.failed) {
    if (ended_at === null) limits.push(`the run goes on: ${journal.beyond} further decisions are not in its journal yet`);
    else if (end_state === 'crashed') {
      limits.push(`the process ended before it had written ${journal.beyond} further decisions, on which no effect rested`);
    } else journal.hasMore();
  }
  const { compared, difference } = journal;
  const { events, quotes, outputs, last } = played;
  return {
    run: run_id,
    equal: difference === undefined,
    complete: complete && difference === undefined,
    remarks,
    compared: { events, quotes, decisions: compared, ...tables, outputs },
    upTo: isoTime(last?.at ?? 0),
    limits,
    difference,
  };
}

/** Changes since the run that may explain differences. */
function remarksOf(facts: StartFacts, strategies: readonly LoadedStrategy[]): readonly string[] {
  const remarks: string[] = [];
  if (facts.version !== VERSION) remarks.push(`the run was Kairos ${facts.version}, this is ${VERSION}`);
  remarks.push(...changedSince(facts.behaviour));
  for (const { strategy, sourceHash } of strategies) {
    const then = facts.strategySources[strategy.id];
    if (then !== sourceHash) remarks.push(`strategy ${strategy.id}: its source is another one than in the run`);
  }
  return remarks;
}
