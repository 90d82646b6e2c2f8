import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Millis } from '#domain/names.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { drawLogUniform } from '#venue/core/draws.ts';
import type { Subscription } from '#venue/feed/subscription.ts';
import type { FaultName } from './catalogue.ts';
import { between, type FaultDraws, formOf, type Struck } from './draws.ts';

/** A whole answer to the request for a connection. */
const REFUSALS = [
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 22\r\n\r\n<!doctype html><p>Oops',
] as const;
const WILD_IN_A_ROW = 6;

/** What goes on with one connection. */
interface Spell {
  silentUntilMs: number;
  /** How many more quotes have wild prices, and of which form. */
  wildLeft: number;
  wildUnit: number;
}

/** A quote that is about to be sent, and how one is sent. */
interface Leaving {
  readonly socket: WebSocket;
  readonly frame: string;
  readonly send: (frame: string) => void;
}

/** Makes the feed go wrong as the draws say. */
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

  /** Whether a connection that is asked for is refused; it has its answer then. */
  refuses(socket: Duplex): boolean {
    const struck = this.draws.next('connection');
    if (!struck) return false;
    this.log(`fault: ${struck.name}`);
    socket.end(formOf(REFUSALS, struck.unit));
    return true;
  }

  /** Answers the pings of a connection, unless it is silent. The server must not do so itself. */
  watch(socket: WebSocket): void {
    socket.on('ping', (data: Buffer) => {
      if (!this.isSilent(socket)) socket.pong(data);
    });
  }

  /** What becomes of a subscription. */
  subscription(): FaultName | undefined {
    const struck = this.draws.next('subscription');
    if (struck) this.log(`fault: ${struck.name}`);
    return struck?.name;
  }

  /** How long the next quote is valid, in place of `given`. */
  validityMs(given: Millis): Millis {
    const struck = this.draws.next('validity');
    return struck ? Math.min(given, drawLogUniform([20, 200], struck.unit)) : given;
  }

  /** Sends a quote, or whatever comes in its place. */
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

  /** What is held back is never sent. Idempotent. */
  close(): void {
    for (const cancel of this.held) cancel();
    this.held.clear();
  }

  private strike({ name, unit }: Struck, { socket, frame, send }: Leaving): void {
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
        // What is not text has no other way out.
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

/** A subscription as it is acknowledged when it is taken for another one. */
export function withEchoOfAnother(subscription: Subscription): Subscription {
  return { ...subscription, echo: { ...subscription.echo, productCode: 'another' } };
}

function drop(socket: WebSocket, unit: number): void {
  const form = formOf([1001, 1012, 'cut'], unit);
  if (form === 'cut') socket.terminate();
  else socket.close(form, 'the service restarts');
}

/** A quote's frame that nobody can use: cut off, binary, of an unknown type, or without a field that it needs. */
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

/** A trading quote's frame at prices that cannot be: crossed, zero, ten times the price, no number. Others stay as they are. */
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
