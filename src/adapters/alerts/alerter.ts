import { durationText } from '#domain/duration-text.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { type Alert, type AlertEvent, type Channel, isUrgent } from './alert.ts';
import { ChannelLine } from './channel-line.ts';
import type { AlertSettings } from './settings.ts';

interface AlerterOptions {
  /** Stands before every title: which bot it is. */
  readonly label: string;
  readonly settings: Pick<AlertSettings, 'events' | 'perMinute' | 'repeatAfterMs'>;
  readonly channels: readonly Channel[];
  readonly timers: Timers;
  /** Where every alert that is told is written, and what becomes of channels. */
  readonly log: (level: 'info' | 'warn', text: string) => void;
  /** Told when deliveries over a channel begin to fail, and when they work again. */
  readonly onChannel?: (name: string, works: boolean) => void;
}

/** Events that end only when a person, or a check that stands for one, ends them: they do not come and go by themselves. */
const ENDED_BY_PERSON: ReadonlySet<AlertEvent> = new Set(['strategy']);

/** Subjects that are remembered; beyond that the oldest is forgotten. */
const MAX_SUBJECTS = 1_000;

/** Decides which alerts are told, and hands them to every channel. A channel that fails is told of on the others. */
export class Alerter {
  private readonly options: AlerterOptions;
  private readonly repeats: Repeats;
  private readonly lines: ReadonlyMap<string, ChannelLine>;

  constructor(options: AlerterOptions) {
    this.options = options;
    const { channels, label, settings, timers } = options;
    const { perMinute, repeatAfterMs } = settings;
    this.repeats = new Repeats({ withinMs: repeatAfterMs, timers, tell: (alert) => this.tell(alert) });
    const onTrouble = (name: string, why: string | null) => this.channelTrouble(name, why);
    this.lines = new Map(channels.map((channel) => [channel.name, new ChannelLine({ channel, label, perMinute, timers, onTrouble })]));
  }

  raise(alert: Alert): void {
    this.repeats.heard(alert);
  }

  /** Delivers what waits, for up to `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.repeats.close();
    await Promise.all([...this.lines.values()].map((line) => line.close(withinMs)));
  }

  private tell(alert: Alert): void {
    const { settings, log } = this.options;
    // What the log tells as an error is there already.
    if (alert.event !== 'trouble') log(alert.over ? 'info' : 'warn', `alert ${alert.event}${alert.over ? ' over' : ''}: ${alert.title}`);
    if (settings.events[alert.event] === 'off') return;
    const silent = settings.events[alert.event] === 'silent' || alert.over;
    for (const line of this.lines.values()) line.add({ alert, silent });
  }

  private channelTrouble(name: string, why: string | null): void {
    const { settings, timers, log } = this.options;
    this.options.onChannel?.(name, why === null);
    const title = why === null ? `alerts reach ${name} again` : `alerts do not reach ${name}: ${why}`;
    log(why === null ? 'info' : 'warn', title);
    if (settings.events.trouble === 'off') return;
    const alert: Alert = { event: 'trouble', at: timers.wallMs(), subject: `channel ${name}`, title, text: '', over: why === null };
    for (const [other, line] of this.lines) if (other !== name) line.add({ alert, silent: true });
  }
}

interface AlertWindow {
  /** The window in which the same is only counted ends then. */
  readonly endsMs: number;
  /** What was told of it within the window, by its causes. */
  readonly causes: ReadonlySet<string>;
  /** True while what was reported has not ended. */
  open: boolean;
  /** The newest repetition that was only counted, if it has not ended at the end of the window. */
  pending: Alert | undefined;
  more: number;
  cancel: Cancel;
}

/**
 * Tells the same trouble, of the same cause, once in so long. What comes again meanwhile is counted, and told at the end of the window where it
 * has not ended by itself; so trouble that comes and goes is told seldom, and trouble that stays is told for certain. The
 * end of what was told is told once. Where a person ended it, or it is urgent, that opens the way for the next: else the last word of it
 * would be that it is over.
 */
class Repeats {
  private readonly withinMs: number;
  private readonly timers: Timers;
  private readonly tell: (alert: Alert) => void;
  private readonly told = new Map<string, AlertWindow>();

  constructor(options: { readonly withinMs: number; readonly timers: Timers; readonly tell: (alert: Alert) => void }) {
    this.withinMs = options.withinMs;
    this.timers = options.timers;
    this.tell = options.tell;
  }

  heard(alert: Alert): void {
    const key = `${alert.event} ${alert.subject}`;
    const before = this.told.get(key);
    if (alert.over) return this.ended(key, before, alert);
    const isKnown = before?.causes.has(alert.cause ?? '') === true && before.endsMs > this.timers.monotonicMs();
    if (!before || !isKnown || alert.changed) return this.tellNow(key, alert);
    before.more += 1;
    before.pending = alert;
  }

  /** Tells what was only counted: nothing ends its window any more. */
  close(): void {
    for (const told of this.told.values()) {
      told.cancel();
      if (told.pending) this.tell(this.counted(told.pending, told.more));
    }
    this.told.clear();
  }

  private tellNow(key: string, alert: Alert): void {
    const before = this.told.get(key);
    before?.cancel();
    this.told.delete(key);
    const nowMs = this.timers.monotonicMs();
    const causes = new Set([...(before && before.endsMs > nowMs ? before.causes : []), alert.cause ?? '']);
    const cancel = this.timers.after(this.withinMs, () => this.windowEnded(key));
    this.told.set(key, { endsMs: nowMs + this.withinMs, causes, open: true, pending: undefined, more: 0, cancel });
    const [oldest] = this.told;
    if (this.told.size > MAX_SUBJECTS && oldest) {
      oldest[1].cancel();
      this.told.delete(oldest[0]);
    }
    this.tell(alert);
  }

  private windowEnded(key: string): void {
    const told = this.told.get(key);
    if (!told) return;
    const { pending, more } = told;
    if (pending) this.tellNow(key, this.counted(pending, more));
    else if (!told.open) this.told.delete(key);
  }

  private counted(alert: Alert, more: number): Alert {
    return { ...alert, title: `${alert.title} (${more} more times within ${durationText(this.withinMs)})` };
  }

  private ended(key: string, told: AlertWindow | undefined, alert: Alert): void {
    if (!told) return;
    told.pending = undefined;
    const { open } = told;
    told.open = false;
    if (isUrgent(alert) || ENDED_BY_PERSON.has(alert.event)) {
      told.cancel();
      this.told.delete(key);
    }
    if (open) this.tell(alert);
  }
}
