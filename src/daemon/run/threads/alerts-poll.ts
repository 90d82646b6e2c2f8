import { type AlertCondition, LastingConditions } from '#adapters/alerts/conditions.ts';
import type { Settings } from '#config/settings.ts';
import type { Snapshot } from '#core/engine/snapshot.ts';
import { durationText } from '#domain/duration-text.ts';
import { endText, latchesText } from '#domain/latch-ends.ts';
import { isoTime, type LaneId, type Millis } from '#domain/names.ts';
import { JOURNAL_HELD, stateWords } from '#domain/no-order-words.ts';
import { signalSource } from '#domain/outside-signal.ts';
import { REASONS } from '#domain/reasons.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { freeIn, writtenFolders } from '../stored.ts';
import type { Alerts } from './alerts.ts';

const LOOK_MS = 1_000;
const DISK_MS = 30_000;
/** How long a lane without a quote counts as opening, in milliseconds. */
const OPENING_MS = 60_000;

/** What the daemon is doing, and its time. */
type Look = Snapshot & { readonly now: Millis; readonly journalBusy: boolean };

interface AlertPollOptions {
  readonly alerts: Alerts;
  readonly settings: Pick<Settings, 'alerts' | 'journal' | 'recording' | 'signals'>;
  readonly timers: Timers;
  /** Standing lanes, each with its minimum allowed silence. Acquired lanes are not watched. */
  readonly lanes: ReadonlyMap<LaneId, Millis>;
  readonly inspect: () => Look;
}

/** Checks a running daemon once a second for conditions without a journal row, and its disks every half minute. */
export function pollForAlerts(options: AlertPollOptions): Cancel {
  const { alerts, settings, timers, lanes, inspect: lookAt } = options;
  const { afterMs, diskFreeMb } = settings.alerts;
  const lasting = new LastingConditions();
  const startedMs = timers.monotonicMs();
  const startedAt = lookAt().now;
  const raiseLasting = (conditions: readonly AlertCondition[]): void => {
    for (const alert of lasting.inspect(conditions, timers.monotonicMs(), timers.wallMs())) alerts.raise(alert);
  };
  // A latch of an earlier run has no row in this one; the alert of a row names it.
  const stops = alerts.standing.filter(({ kind }) => kind !== 'paused');
  if (stops.length > 0 && !alerts.hasRaised('halt') && !alerts.hasRaised('drawdown')) {
    const title = `started ${latchesText(stops)}, as the previous run left it`;
    const text = `kairos status says why; ${endText(stops)}`;
    alerts.raise({ event: 'halt', at: timers.wallMs(), subject: 'trading', title, text, over: false });
  }
  const stopPolling = timers.every(LOOK_MS, () => {
    const seen = lookAt();
    const isOpening = timers.monotonicMs() - startedMs < OPENING_MS;
    raiseLasting([
      ...silences({ seen, lanes, afterMs, isOpening }),
      timeCondition(seen, afterMs),
      journalCondition(seen, settings),
      ...quietSources(settings.signals.sources, seen, startedAt),
    ]);
  });
  const lookAtDisks = async (): Promise<void> => raiseLasting(await diskConditions(settings, diskFreeMb));
  if (diskFreeMb > 0) void lookAtDisks();
  const stopDisks = diskFreeMb > 0 ? timers.every(DISK_MS, () => void lookAtDisks()) : () => {};
  return () => {
    stopPolling();
    stopDisks();
  };
}

/** One condition for each silent lane, or one for all if none brings quotes. */
export function silences(options: {
  readonly seen: Pick<Look, 'lanes' | 'now'> & Books;
  readonly lanes: ReadonlyMap<LaneId, Millis>;
  readonly afterMs: number;
  readonly isOpening: boolean;
}): readonly AlertCondition[] {
  const { seen, lanes, afterMs, isOpening } = options;
  const standing = seen.lanes.filter(({ lane }) => lanes.has(lane));
  const quietMs = (lane: LaneId): Millis => Math.max(afterMs, lanes.get(lane) ?? 0);
  const isSilent = ({ lane, quoteAt }: { readonly lane: LaneId; readonly quoteAt: string | null }) =>
    quoteAt === null ? !isOpening : seen.now - Date.parse(quoteAt) >= quietMs(lane);
  const silent = standing.filter(isSilent);
  const all = standing.length > 1 && silent.length === standing.length;
  const feed: AlertCondition = {
    event: 'silence',
    subject: 'feed',
    why: all ? `none of ${standing.length} lanes has brought a quote for ${durationText(afterMs)}` : null,
    over: 'quotes come again',
    afterMs: 0,
    ...outage(seen, silent),
  };
  if (all) return [feed];
  const single = standing.map(
    (lane): AlertCondition => ({
      event: 'silence',
      subject: `lane ${lane.lane}`,
      why: isSilent(lane) ? `no quotes for ${durationText(quietMs(lane.lane))} on lane ${lane.lane}` : null,
      over: `quotes come again on lane ${lane.lane}`,
      afterMs: 0,
      ...outage(seen, [lane]),
    }),
  );
  return [feed, ...single];
}

type Books = Pick<Look, 'strategies' | 'otherBooks'>;

const heldIn = ({ strategies, otherBooks }: Books) => [...strategies, ...otherBooks].filter(({ position }) => Number(position) !== 0);

/** What lanes without quotes mean: the cause, what is held meanwhile, what is tried, and what a person can do. */
function outage(seen: Books, silent: Look['lanes']): Pick<AlertCondition, 'text' | 'escalates'> {
  const causes = new Set(silent.map(({ why, phase }) => why || `the connection is ${phase}`));
  const held = heldIn(seen);
  const text = [
    ...causes,
    held.length === 0
      ? 'Nothing is held.'
      : `${held.map(({ id, product, position }) => `${id} holds ${position} of ${product}`).join(', ')}; no exit goes out without a quote.`,
    'Each lane is connected again by itself, ever later, up to 30 s apart.',
    `kairos doctor says where the connection ends${held.length === 0 ? '' : '; what cannot wait, close at the service itself'}.`,
  ];
  return { text: text.join('\n'), escalates: { urgent: held.length > 0 } };
}

/** One condition for each source that should not be silent for long. */
export function quietSources(
  sources: readonly Pick<Settings['signals']['sources'][number], 'name' | 'staleAfterMs'>[],
  { signals, now }: Pick<Look, 'signals' | 'now'>,
  startedAt: Millis,
): readonly AlertCondition[] {
  return sources.map(({ name, staleAfterMs }): AlertCondition => {
    const last = signals.find(({ source }) => source === signalSource(name));
    const isQuiet = staleAfterMs !== null && now - Math.max(last?.at ?? startedAt, startedAt) >= staleAfterMs;
    const why = isQuiet ? `no signal of ${name} for ${durationText(staleAfterMs)}; the last: ${last ? isoTime(last.at) : 'none'}` : null;
    return { event: 'silence', subject: `source ${name}`, why, over: `signals of ${name} come again`, afterMs: 0 };
  });
}

/** One condition while the service's time is not known: exits wait too. */
export function timeCondition(seen: Pick<Look, 'time'> & Books, afterMs: number): AlertCondition {
  const { time } = seen;
  const why = time.reason === null ? null : `no order goes out, since ${REASONS[time.reason]}`;
  const { mend } = stateWords({ state: 'NO_TIME', figures: {}, reason: time.reason });
  return {
    event: 'clock',
    subject: 'time',
    why,
    over: "the service's time is known again",
    afterMs,
    text: mend,
    escalates: { urgent: heldIn(seen).length > 0 },
  };
}

/** One condition while another program holds the journal. */
export function journalCondition(
  { journalBusy }: Pick<Look, 'journalBusy'>,
  { alerts: { afterMs }, journal: { path } }: Pick<AlertPollOptions['settings'], 'alerts' | 'journal'>,
): AlertCondition {
  return {
    event: 'blocked',
    subject: 'journal',
    why: journalBusy ? `no order goes out: ${JOURNAL_HELD}` : null,
    over: 'the journal is free again, and orders go out',
    afterMs,
    text: `Close what writes to ${path}, such as a database browser or a copy under way: \`fuser ${path}\` names it. Nothing else is to be done.`,
    urgent: true,
    escalates: { urgent: true },
  };
}

async function diskConditions({ journal, recording }: AlertPollOptions['settings'], leastMb: number): Promise<readonly AlertCondition[]> {
  const looks = await Promise.all(writtenFolders({ journal, recording }).map((folder) => diskCondition(folder, leastMb)));
  return looks.filter((condition) => condition !== undefined);
}

async function diskCondition(folder: string, leastMb: number): Promise<AlertCondition | undefined> {
  const free = await freeIn(folder);
  // The folder is missing or cannot be queried: a write reports the fault.
  if (free === null) return undefined;
  const freeMb = Math.floor(free / 1e6);
  const why = freeMb < leastMb ? `${freeMb} MB are free where ${folder} is, under alerts.diskFreeMb ${leastMb}` : null;
  return { event: 'disk', subject: folder, why, over: `${freeMb} MB are free again where ${folder} is`, afterMs: 0 };
}
