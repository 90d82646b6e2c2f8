import { ALERT_EVENTS, type Alert, type AlertEvent, type Channel, type Loudness, type Message } from '#adapters/alerts/alert.ts';

/** As they are without any configuration. */
export const USUAL: Readonly<Record<AlertEvent, Loudness>> = {
  halt: ALERT_EVENTS.halt.usual,
  unknown: ALERT_EVENTS.unknown.usual,
  drawdown: ALERT_EVENTS.drawdown.usual,
  silence: ALERT_EVENTS.silence.usual,
  clock: ALERT_EVENTS.clock.usual,
  missed: ALERT_EVENTS.missed.usual,
  disk: ALERT_EVENTS.disk.usual,
  strategy: ALERT_EVENTS.strategy.usual,
  blocked: ALERT_EVENTS.blocked.usual,
  trouble: ALERT_EVENTS.trouble.usual,
  dead: ALERT_EVENTS.dead.usual,
  stopped: ALERT_EVENTS.stopped.usual,
};

export const AT = Date.UTC(2026, 0, 1);

export function alert(event: AlertEvent, title: string, parts: Partial<Alert> = {}): Alert {
  return { event, at: AT, subject: title, title, text: '', over: false, ...parts };
}

/** A channel that keeps what it was given, and fails as long as it is told to. */
export class KeptChannel implements Channel {
  readonly name: string;
  readonly sent: Message[] = [];
  failing: string | null = null;
  tries = 0;

  constructor(name = 'kept') {
    this.name = name;
  }

  async send(message: Message): Promise<void> {
    this.tries += 1;
    if (this.failing !== null) throw new Error(this.failing);
    this.sent.push(message);
  }

  async close(): Promise<void> {}

  get titles(): readonly string[] {
    return this.sent.map(({ title }) => title);
  }
}

/** Lets every promise that is settled be heard. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
