import type { OpenQuoteSocket, SocketEvents } from '#adapters/service-client/quotes/quote-socket.ts';
import { ack } from './frames.ts';

/** One connection as a lane asked for it; the test plays the service. */
export class FakeSocket {
  readonly url: string;
  readonly sent: string[] = [];
  pings = 0;
  destroyed = false;
  private readonly events: SocketEvents;

  constructor(url: string, events: SocketEvents) {
    this.url = url;
    this.events = events;
  }

  open(): this {
    this.events.opened();
    return this;
  }

  say(frame: string): this {
    this.events.text(frame);
    return this;
  }

  acknowledge(query: Readonly<Record<string, unknown>> = {}): this {
    return this.say(ack(query));
  }

  pong(): void {
    this.events.alive();
  }

  end(why = 'closed with 1006', violation = false): void {
    this.events.ended(why, violation);
  }
}

/** Connections without a network: for timing, and for a thousand of them. */
export class FakeSockets {
  readonly all: FakeSocket[] = [];

  readonly open: OpenQuoteSocket = (url, events) => {
    const fake = new FakeSocket(url, events);
    this.all.push(fake);
    return {
      send: (text) => fake.sent.push(text),
      ping: () => {
        fake.pings += 1;
      },
      destroy: () => {
        fake.destroyed = true;
      },
    };
  };

  get last(): FakeSocket {
    const last = this.all.at(-1);
    if (last === undefined) throw new Error('no connection was asked for');
    return last;
  }
}
