import type { Timers } from '#ports/timers.ts';
import type { Alert, Channel } from './alert.ts';
import { ChannelLine } from './channel-line.ts';
import { Repeats } from './repeats.ts';
import type { AlertSettings } from './settings.ts';

interface AlerterOptions {
  /** Stands before every title: which bot it is. */
  readonly label: string;
  readonly settings: Pick<AlertSettings, 'events' | 'perMinute' | 'repeatAfterMs'>;
  readonly channels: readonly Channel[];
  readonly timers: Timers;
  /** Where every alert that is told is written, and what becomes of channels. */
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

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
    if (this.options.settings.events[alert.event] !== 'off') this.repeats.heard(alert);
  }

  /** Delivers what waits, for up to `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.repeats.close();
    await Promise.all([...this.lines.values()].map((line) => line.close(withinMs)));
  }

  private tell(alert: Alert): void {
    const { settings, log } = this.options;
    // What the log tells as an error is there already.
    if (alert.event !== 'trouble') log(alert.over ? 'info' : 'warn', `alert ${alert.event}: ${alert.title}`);
    const silent = settings.events[alert.event] === 'silent' || alert.over;
    for (const line of this.lines.values()) line.add({ alert, silent });
  }

  private channelTrouble(name: string, why: string | null): void {
    const { settings, timers, log } = this.options;
    const title = why === null ? `alerts reach ${name} again` : `alerts do not reach ${name}: ${why}`;
    log(why === null ? 'info' : 'warn', title);
    if (settings.events.trouble === 'off') return;
    const alert: Alert = { event: 'trouble', at: timers.wallMs(), subject: `channel ${name}`, title, text: '', over: why === null };
    for (const [other, line] of this.lines) if (other !== name) line.add({ alert, silent: true });
  }
}
