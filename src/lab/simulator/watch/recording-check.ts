import { existsSync, readFileSync } from 'node:fs';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import type { NumberedEvent } from '#domain/event.ts';
import { parityOf } from '#research/parity/parity.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** Maximum number of quotes of one lane in one instant: bursts are conflated. */
const MAX_AT_AN_INSTANT = 3;

interface RecordingParts {
  readonly eye: JournalEye;
  readonly settings: Settings;
  readonly strategiesOf: (settings: Settings) => readonly LoadedStrategy[];
  readonly violate: Violate;
}

/** Replays the recording of each run: the same inbox gives the same decisions (I19, I25), and queues are conflated (I21). */
export async function checkRecordings({ eye, settings, strategiesOf, violate }: RecordingParts): Promise<void> {
  for (const { run_id: run } of eye.rows<{ run_id: string }>('SELECT run_id FROM runs ORDER BY started_at')) {
    const events = eventsOf(settings.recording.dir, run);
    if (events[0] === undefined) continue;
    checkEvents(eye, { events, run, violate });
    checkOrigins(eye, { events, run, violate });
    const { equal, difference } = await parityOf({ settings, run, folders: { cwd: '/', packaged: '/' }, strategiesOf });
    if (!equal) violate('I19', `played again, run ${run} comes to other decisions: ${JSON.stringify(difference).slice(0, 3000)}`);
  }
}

interface OfRun {
  readonly events: readonly NumberedEvent[];
  readonly run: string;
  readonly violate: Violate;
}

/** Kinds of decisions that only a person makes. */
const BY_PERSON = ['armed', 'resumed', 'enabled', 'resolved'];

/** Checks that queues are conflated, and that notifications only move money. */
function checkEvents(eye: JournalEye, of: OfRun): void {
  const notified = new Set<number>();
  const conflation = new Conflation(of);
  for (const numbered of of.events) {
    if (numbered.event.kind === 'notification') notified.add(numbered.n);
    conflation.add(numbered);
  }
  checkNotifications(eye, of, notified);
}

/** Checks that no notification releases a latch, and that none causes an order except of a strategy that invests deposits (I18). */
function checkNotifications(eye: JournalEye, { run, violate }: OfRun, notified: ReadonlySet<number>): void {
  if (notified.size === 0) return;
  const investing = new Set(
    eye
      .rows<{ id: string }>(
        `SELECT json_extract(value, '$.id') AS id FROM runs, json_each(config_json, '$.strategies')
    WHERE run_id = ? AND json_extract(value, '$.use') = 'deposit-dca'`,
        run,
      )
      .map(({ id }) => id),
  );
  for (const { inbox_seq: n, kind, strategy } of eye.rows<{ inbox_seq: number; kind: string; strategy: string | null }>(
    'SELECT inbox_seq, kind, strategy FROM decisions WHERE run_id = ?',
    run,
  )) {
    if (!notified.has(n)) continue;
    if (BY_PERSON.includes(kind)) violate('I18', `event ${n} of run ${run} is a notification, and ${kind} follows from it`);
    if (kind === 'approved' && !investing.has(strategy ?? ''))
      violate('I18', `event ${n} of run ${run} is a notification, and an order of ${strategy} follows from it`);
  }
}

/** Checks that each order leads to its strategy, configuration and build (I31). */
function checkOrigins(eye: JournalEye, { events: [first], run, violate }: OfRun): void {
  if (first?.event.kind !== 'start') return;
  const { facts } = first.event;
  const [row] = eye.rows<{ version: string; config_hash: string }>('SELECT version, config_hash FROM runs WHERE run_id = ?', run);
  if (!row || row.version === '' || row.config_hash !== facts.configHash || !/^[0-9a-f]{64}$/.test(facts.build))
    violate('I31', `run ${run} has no version, configuration or build that its orders could lead to`);
  for (const { strategy } of eye.rows<{ strategy: string }>(
    "SELECT DISTINCT strategy FROM orders WHERE run_id = ? AND strategy <> 'manual'",
    run,
  ))
    if (!facts.strategySources[strategy]) violate('I31', `an order of run ${run} is of ${strategy}, whose source the run does not name`);
}

/** The events of a recording; none if a crash left it without its first. */
function eventsOf(dir: string, run: string): readonly NumberedEvent[] {
  const log = logPath(dir, run);
  const events: NumberedEvent[] = [];
  if (existsSync(log) && !readFileSync(log).includes('\n')) return events;
  for (const item of openRun(log).items()) {
    if (item.kind === 'event') events.push(item.event);
    else if (events.length === 0) return events;
  }
  return events;
}

/** Counts quotes of a lane handled within one instant (I21). */
class Conflation {
  private readonly of: OfRun;
  private lane = '';
  private at = 0;
  private count = 0;

  constructor(of: OfRun) {
    this.of = of;
  }

  add({ event, at }: NumberedEvent): void {
    if (event.kind !== 'quote') return;
    const { run, violate } = this.of;
    const { lane } = event.quote;
    this.count = lane === this.lane && at === this.at ? this.count + 1 : 1;
    this.lane = lane;
    this.at = at;
    if (this.count > MAX_AT_AN_INSTANT)
      violate('I21', `run ${run}: quotes of lane ${lane} are worked off one by one, ${this.count} within one instant`);
  }
}
