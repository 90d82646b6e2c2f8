import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Millis } from '#domain/names.ts';
import { drawLogUniform } from '#paper-venue/core/draws.ts';
import type { FeedSubscription } from '#paper-venue/feed/subscription.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { FaultName } from './catalogue.ts';
import { between, type FaultDraws, type FaultStrike, formOf } from './draws.ts';

/** Complete answers that refuse a connection. */
const REFUSALS = [
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 22\r\n\r\n<!doctype html><p>Oops',
] as const;
const WILD_IN_A_ROW = 6;

/** The fault state of one connection. */
interface Spell {
  silentUntilMs: number;
  /** Number of further quotes with wild prices, and their form. */
  wildLeft: number;
  wildUnit: number;
}

/** A quote to be sent, and the function that sends it. */
interface Leaving {
  readonly socket: WebSocket;
  readonly frame: string;
  readonly send: (frame: string) => void;
}

/** Applies drawn faults to the feed. */
export class FeedFaults {
  private readonly draws: FaultDraws;
  private readonly timers: Timers;
  private readonly log: (line: string) => void;
  private readonly spells = new WeakMap<WebSocket, Spell>();
  private readonly held = new Set<Cancel>();

  constructor(draws: FaultDraws, { timers, log }: { readonly timers: Timers; readonly log: (line: string) => void }) {
    this.draws = draws;
    this.timers = timers;
    this.log = log;
  }

  /** True if a connection is refused; the refusal has been sent. */
  refuses(socket: Duplex): boolean {
    const struck = this.draws.next('connection');
    if (!struck) return false;
    this.log(`fault: ${struck.name}`);
    socket.end(formOf(REFUSALS, struck.unit));
    return true;
  }

  /** Answers the pings of a connection unless it is silent. The server must not answer them itself. */
  watch(socket: WebSocket): void {
    socket.on('ping', (data: Buffer) => {
      if (!this.isSilent(socket)) socket.pong(data);
    });
  }

  subscription(): FaultName | undefined {
    const struck = this.draws.next('subscription');
    if (struck) this.log(`fault: ${struck.name}`);
    return struck?.name;
  }

  /** Validity of the next quote, in place of `given`. */
  validityMs(given: Millis): Millis {
    const struck = this.draws.next('validity');
    return struck ? Math.min(given, drawLogUniform([20, 200], struck.unit)) : given;
  }

  /** Sends a quote, or what a fault makes of it. */
  quote({ socket, frame, send }: Leaving): void {
    const struck = this.draws.next('quote');
    const spell = this.spellOf(socket);
    if (struck?.name === 'wild-prices') Object.assign(spell, { wildLeft: WILD_IN_A_ROW, wildUnit: struck.unit });
    if (this.isSilent(socket)) return;
    if (spell.wildLeft > 0) {
      spell.wildLeft -= 1;
      return send(wildFrame(frame, spell.wildUnit));
    }
    if (struck) return this.strike(struck, { socket, frame, send });
    send(frame);
  }

  /** Drops delayed frames. Idempotent. */
  close(): void {
    for (const cancel of this.held) cancel();
    this.held.clear();
  }

  private strike({ name, unit }: FaultStrike, { socket, frame, send }: Leaving): void {
    switch (name) {
      case 'dropped-feed':
        this.log(`fault: ${name}`);
        return drop(socket, unit);
      case 'silent-feed':
        this.log(`fault: ${name}`);
        this.spellOf(socket).silentUntilMs = this.timers.monotonicMs() + between(4000, 14_000, unit);
        return;
      case 'late-quotes':
        return this.hold(between(700, 2500, unit), () => send(frame));
      case 'repeated-quotes':
        send(frame);
        return send(frame);
      case 'bad-frames': {
        const bad = badFrame(frame, unit);
        // Only text goes through `send`.
        return typeof bad === 'string' ? send(bad) : socket.send(bad);
      }
      default:
        return send(frame);
    }
  }

  private hold(delayMs: Millis, run: () => void): void {
    const cancel = this.timers.after(delayMs, () => {
      this.held.delete(cancel);
      run();
    });
    this.held.add(cancel);
  }

  private isSilent(socket: WebSocket): boolean {
    return this.timers.monotonicMs() < this.spellOf(socket).silentUntilMs;
  }

  private spellOf(socket: WebSocket): Spell {
    const known = this.spells.get(socket);
    if (known) return known;
    const spell = { silentUntilMs: Number.NEGATIVE_INFINITY, wildLeft: 0, wildUnit: 0 };
    this.spells.set(socket, spell);
    return spell;
  }
}

/** A subscription whose ACK echoes another one. */
export function withEchoOfAnother(subscription: FeedSubscription): FeedSubscription {
  return { ...subscription, echo: { ...subscription.echo, productCode: 'another' } };
}

function drop(socket: WebSocket, unit: number): void {
  const form = formOf([1001, 1012, 'cut'], unit);
  if (form === 'cut') socket.terminate();
  else socket.close(form, 'the service restarts');
}

/** An unusable frame: cut off, binary, of an unknown type, or without a required field. */
export function badFrame(frame: string, unit: number): string | Buffer {
  switch (formOf(['cut off', 'without id', 'without validUntil', 'unknown', 'binary'], unit)) {
    case 'cut off':
      return frame.slice(0, frame.length >> 1);
    case 'without id':
      return frame.replace(/"id":"[^"]*",/, '');
    case 'without validUntil':
      return frame.replace(/,"validUntil":"[^"]*"/, '');
    case 'unknown':
      return frame.replace(/"msgType":"[^"]*"/, '"msgType":"XQ"');
    case 'binary':
      return Buffer.from(frame);
  }
}

/** A trading quote's frame with impossible prices: crossed, zero, tenfold or not a number. Other frames are unchanged. */
export function wildFrame(frame: string, unit: number): string {
  switch (formOf(['crossed', 'zero', 'tenfold', 'no number'], unit)) {
    case 'crossed':
      return frame.replace(
        /("buyQuote":\{[^}]*?"price":)([\d.eE+-]+)/,
        (_all, before: string, price: string) => `${before}${Number(price) * 0.9}`,
      );
    case 'zero':
      return frame.replace(/"price":[\d.eE+-]+/g, '"price":0');
    case 'tenfold':
      return frame.replace(/"(price|value)":([\d.eE+-]+)/g, (_all, name: string, figure: string) => `"${name}":${Number(figure) * 10}`);
    case 'no number':
      return frame.replace(/"price":[\d.eE+-]+/g, '"price":"NaN"');
  }
}
