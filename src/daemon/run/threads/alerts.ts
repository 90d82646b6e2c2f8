import type { Alert, AlertEvent } from '#adapters/alerts/alert.ts';
import { Alerter } from '#adapters/alerts/alerter.ts';
import { channelNames } from '#adapters/alerts/channels.ts';
import { alertOf } from '#adapters/alerts/rules.ts';
import { type AlertSettings, commandEnvironment } from '#adapters/alerts/settings.ts';
import { Latches } from '#adapters/journal/latches.ts';
import { Thread } from '#adapters/threads/thread.ts';
import { scrubber } from '#assembly/log.ts';
import type { Settings } from '#config/settings.ts';
import type { Decision } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import type { Latch } from '#domain/latch.ts';
import { withEnds } from '#domain/latch-ends.ts';
import type { Journal } from '#ports/journal.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';

/** How long a stop waits for pending alerts, in milliseconds. */
const CLOSE_MS = 2_000;

/** The thread receives alerts and the end, and reports deliveries. `env` is the environment of commands. */
export interface AlertThreadTypes {
  readonly data: { readonly label: string; readonly settings: AlertSettings; readonly env: Readonly<Record<string, string>> };
  readonly toThread: { readonly alert: Alert } | { readonly closeWithinMs: number };
  readonly fromThread: { readonly level: 'info' | 'warn'; readonly text: string } | { readonly channel: string; readonly works: boolean };
}

interface AlertsOptions {
  readonly settings: Pick<Settings, 'alerts' | 'service' | 'trading'>;
  readonly mode: string;
  readonly timers: Timers;
  readonly notice: Notice;
}

/**
 * The alerts of a running daemon. Rules read journaled rows and logged errors. At the end of the loop's turn the alerts
 * go to a thread of its own, if any channel is configured: a quote must not wait for a handshake or a program.
 */
export class Alerts {
  private readonly options: AlertsOptions;
  private readonly label: string;
  private readonly scrub: (text: string) => string;
  private readonly post: (alert: Alert) => void;
  private readonly end: () => Promise<void>;
  /** Alerts of this turn of the loop. */
  private alerts: Alert[] = [];
  private errors: string[] = [];
  private asked = false;
  /** Whether the last delivery over each channel worked. */
  readonly channels: Map<string, boolean>;
  private latches = new Latches();
  private readonly raised = new Set<AlertEvent>();

  constructor(options: AlertsOptions) {
    this.options = options;
    const { settings, mode, timers, notice } = options;
    this.label = `${mode.toUpperCase()} ${settings.alerts.name}`;
    this.scrub = scrubber(settings.service);
    this.channels = new Map(channelNames(settings.alerts).map((name) => [name, true]));
    if (this.channels.size > 0) {
      const data = { label: this.label, settings: settings.alerts, env: commandEnvironment(process.env) };
      const thread = new AlertThread(data, { notice, onChannel: (name, works) => this.channels.set(name, works) });
      this.post = (alert) => thread.post(alert);
      this.end = () => thread.close(timers);
    } else {
      const alerter = new Alerter({ label: this.label, settings: settings.alerts, channels: [], timers, log: notice });
      this.post = (alert) => alerter.raise(alert);
      this.end = () => alerter.close(0);
    }
  }

  /** Passes a notice on to the terminal; an error is also an alert, unless a rule already raises one. */
  readonly notice: Notice = (level, text) => {
    this.options.notice(level, text);
    if (level !== 'error') return;
    this.errors.push(text);
    this.ask();
  };

  /**
   * Wraps the journal and reads every row once it is written: committed rows are durable by then, deferred ones within a second.
   * `standing`: what earlier runs left latched.
   */
  watchJournal(journal: Journal, standing: readonly Latch[]): Journal {
    const latches = new Latches(standing);
    this.latches = latches;
    const tellOf = (rows: readonly Decision[]): void => {
      for (const row of rows) {
        latches.apply(row);
        const alert = alertOf(row, this.standing);
        if (alert) this.raise(alert);
      }
    };
    return {
      commit: (decisions) => {
        journal.commit(decisions);
        tellOf(decisions);
      },
      defer: (decisions) => {
        journal.defer(decisions);
        tellOf(decisions);
      },
      write: () => journal.write(),
      flush: () => journal.flush(),
      end: (run, endState) => journal.end(run, endState),
    };
  }

  /** What is latched of all strategies. */
  get standing(): readonly Latch[] {
    const { rearmAfterMs } = this.options.settings.trading.arming;
    return withEnds(
      this.latches.standing.filter(({ strategy }) => strategy === null),
      rearmAfterMs,
    );
  }

  raise(alert: Alert): void {
    this.alerts.push(alert);
    if (!alert.over) this.raised.add(alert.event);
    this.ask();
  }

  /** Raises an alert for an uncaught error that ends the process, unless the journaled halt has raised one. */
  failed(error: unknown): void {
    if (this.standing.some(({ kind }) => kind === 'halted')) return;
    const title = `HALTED, and the process ends: ${messageOf(error)}`;
    this.raise({ event: 'halt', at: this.options.timers.wallMs(), subject: 'trading', title, text: '', over: false, changed: true });
  }

  hasRaised(event: AlertEvent): boolean {
    return this.raised.has(event);
  }

  /** Delivers pending alerts, for up to two seconds. */
  async close(): Promise<void> {
    this.handOver();
    await this.end();
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    setImmediate(() => this.handOver());
  }

  /** Hands over the turn's alerts. An error in the same turn as a rule's alert is merged with it, and with one that is told if there is any. */
  private handOver(): void {
    const { errors } = this;
    const { events } = this.options.settings.alerts;
    const alerts = this.alerts.filter(({ onlyWithError }) => !onlyWithError || errors.length > 0);
    this.asked = false;
    this.alerts = [];
    this.errors = [];
    const ruled = alerts.filter(({ over }) => !over);
    const merged = ruled.findLast(({ event }) => events[event] !== 'off');
    for (const alert of alerts)
      this.post(this.clean(alert === merged ? { ...alert, text: [alert.text, ...errors].join('\n').trim() } : alert));
    if (ruled.length > 0) return;
    const at = this.options.timers.wallMs();
    for (const text of errors) this.post(this.clean({ event: 'trouble', at, subject: text, title: text, text: '', over: false }));
  }

  private clean(alert: Alert): Alert {
    return { ...alert, title: this.scrub(alert.title), text: this.scrub(alert.text) };
  }
}

/** The delivering thread. If it ends by an error, that is reported, and the next alert starts another. */
class AlertThread {
  private readonly data: AlertThreadTypes['data'];
  private readonly told: { readonly notice: Notice; readonly onChannel: (name: string, works: boolean) => void };
  private thread: Thread<AlertThreadTypes> | undefined;

  constructor(data: AlertThreadTypes['data'], told: AlertThread['told']) {
    this.data = data;
    this.told = told;
    this.thread = this.start();
  }

  post(alert: Alert): void {
    this.thread ??= this.start();
    this.thread.post({ alert });
  }

  async close(timers: Timers): Promise<void> {
    await this.thread?.close({ closeWithinMs: CLOSE_MS }, { withinMs: CLOSE_MS + 500, timers });
  }

  private start(): Thread<AlertThreadTypes> {
    const entry = new URL('./alerts-thread-entry.ts', import.meta.url);
    const thread = new Thread<AlertThreadTypes>({ entry, name: 'alerts', data: this.data });
    const { notice, onChannel } = this.told;
    thread.onMessage((said) => {
      if ('channel' in said) onChannel(said.channel, said.works);
      else notice(said.level, said.text);
    });
    thread.onError((error) => notice('warn', `pending alerts are lost: their thread ended: ${messageOf(error)}`));
    void thread.ended.then(() => {
      if (this.thread === thread) this.thread = undefined;
    });
    thread.unref();
    return thread;
  }
}
