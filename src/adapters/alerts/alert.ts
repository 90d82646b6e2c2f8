import type { Millis } from '#domain/names.ts';

/** How an event is told: with a sound, without one, or not at all. */
export type Loudness = 'on' | 'silent' | 'off';

/** Every event that an alert can tell of, how it is told unless the configuration says otherwise, and what it means. */
export const ALERT_EVENTS = {
  halt: { usual: 'on', meaning: 'trading is halted or disarmed, or only exits pass' },
  unknown: { usual: 'on', meaning: 'the outcome of an order is unknown, or its answer cannot be read' },
  drawdown: { usual: 'on', meaning: 'losses have reached risk.maxDrawdownPct, risk.maxDayLoss or risk.maxLossStreakOfAll' },
  silence: { usual: 'on', meaning: 'lanes are silent for alerts.after, or a source for its staleAfter' },
  clock: { usual: 'on', meaning: "the service's time is not known for alerts.after" },
  missed: { usual: 'on', meaning: 'a scheduled or requested action was missed or failed' },
  disk: { usual: 'on', meaning: 'less than alerts.diskFreeMb is free' },
  strategy: { usual: 'on', meaning: 'a strategy failed, or is disabled until a person enables it' },
  blocked: { usual: 'on', meaning: 'a strategy could not trade for 30 s, or another program holds the journal for alerts.after' },
  trouble: { usual: 'on', meaning: 'any other error in the log' },
  dead: { usual: 'on', meaning: 'sent by `kairos watch`: the daemon has ended or hangs' },
  stopped: { usual: 'silent', meaning: 'sent by `kairos watch`: the daemon was stopped, not back within a minute' },
} as const satisfies Readonly<Record<string, { usual: Loudness; meaning: string }>>;

export type AlertEvent = keyof typeof ALERT_EVENTS;

/** Events that are held back by no limit, and that give way to nothing in a full queue while anything else waits. */
const URGENT: ReadonlySet<AlertEvent> = new Set(['halt', 'dead', 'drawdown']);

/** True for an alert of which a person is to hear at once. */
export const isUrgent = ({ event, urgent }: Pick<Alert, 'event' | 'urgent'>): boolean => urgent === true || URGENT.has(event);

/** Something that a person should hear of who is not watching. */
export interface Alert {
  readonly event: AlertEvent;
  /** Wall time. */
  readonly at: Millis;
  /** What it is about, by which repetitions are known: an order, a lane, a strategy. */
  readonly subject: string;
  /** Why it is the case, where one subject may have several causes: another cause is no repetition. */
  readonly cause?: string;
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** True where what was told before under this event and subject has ended: told without a sound. */
  readonly over: boolean;
  /** A part of what was told has ended and the rest stands, or more has come: told at once, and as what is raised from then on. */
  readonly changed?: true;
  /** It has lasted so long that it is as urgent as an event of `URGENT`. */
  readonly urgent?: true;
  /** Told only where the log tells an error of the same moment: whether it is one depends on more than the row says. */
  readonly onlyWithError?: true;
}

/** One message as channels deliver it: an alert, or a digest of several. */
export interface Message {
  readonly title: string;
  readonly text: string;
  readonly events: readonly AlertEvent[];
  readonly silent: boolean;
  readonly urgent: boolean;
  readonly at: Millis;
}

/** A way out. `send` rejects with an error whose message says why; it gives up when the signal says so. */
export interface Channel {
  readonly name: string;
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** Ends open connections. Idempotent. */
  close(): Promise<void>;
}
