import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Dial } from '#adapters/service-client/dial.ts';
import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import { openTunnel, proxyFor } from '#adapters/service-client/rest/proxy.ts';
import type { ServiceAddress } from '#adapters/service-client/rest/service-address.ts';
import { messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Shortest life of an idle connection, however soon the service closes them. */
const MIN_LIFE_MS = 1000;
/** A life is cut to this share of the age at which the service closed one. */
const LEARNED_SHARE = 0.8;

interface WarmSocketsOptions {
  readonly address: ServiceAddress;
  readonly timers: Timers;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial | undefined;
  /** Connections kept open ahead. */
  readonly size: number;
  /** An idle connection is replaced after so long, before the service would close it; learned downwards. */
  readonly idleMs: number;
  readonly connectMs: number;
  /** Told when a connection cannot be had; `certificate` when the service could not prove who it is. */
  readonly onTrouble?: (why: string, certificate: boolean) => void;
}

/** What became of opening a connection. */
type OpenedSocket = { readonly socket: Socket } | { readonly why: string; readonly certificate: boolean };

interface Idle {
  readonly socket: Socket;
  readonly openedMs: number;
  cancelLife: Cancel;
  letGo(): void;
}

/**
 * Connections opened ahead of the orders that will use them: an order that had to wait for TCP and TLS would eat
 * its quote's few seconds. Each serves one order. Old ones are replaced by a new one before they go (F04).
 */
export class WarmSockets {
  private readonly options: WarmSocketsOptions;
  private readonly timers: Timers;
  private readonly backoff: Backoff;
  private readonly idle: Idle[] = [];
  private readonly opening = new Set<Cancel>();
  private refilling = 0;
  private lifeMs: number;
  private session: Buffer | null = null;
  private cancelRetry: Cancel | null = null;
  private closed = false;

  constructor(options: WarmSocketsOptions) {
    this.options = options;
    this.timers = options.timers;
    this.lifeMs = options.idleMs;
    this.backoff = new Backoff(options.timers, 'orderConnection');
  }

  /** Connections ready now. */
  get ready(): number {
    return this.idle.length;
  }

  /** Opens connections until there are enough. Idempotent. */
  refill(): void {
    while (!this.closed && this.cancelRetry === null && this.idle.length + this.refilling < this.options.size) this.openAhead();
  }

  /** The freshest idle connection, out of the pool for good; undefined when there is none. */
  acquire(): Socket | undefined {
    for (let entry = this.idle.pop(); entry !== undefined; entry = this.idle.pop()) {
      entry.letGo();
      this.refillSoon();
      const { socket } = entry;
      if (!socket.destroyed && socket.writable && socket.readable && socket.readableLength === 0) return socket;
      socket.destroy();
    }
    return undefined;
  }

  /** Opens one connection beside the pool. `done` is called once, never before this returns; not at all once cancelled or closed. */
  open(done: (opened: OpenedSocket) => void): Cancel {
    const { address, connectMs, dial } = this.options;
    const proxy = dial ? null : proxyFor(address);
    let socket: Socket | null = null;
    let over = false;
    const settle = (opened: OpenedSocket): void => {
      if (over) return;
      stop();
      done(opened);
    };
    const failed = (error: unknown): void => {
      cut();
      const certificate = isCertificateError(error);
      settle({ why: `${address.host}:${address.port}: ${certificate ? 'certificate refused: ' : ''}${messageOf(error)}`, certificate });
    };
    const cancelTimer = this.timers.after(connectMs, () => failed(new Error(`no connection within ${connectMs} ms`)));
    const onError = (error: Error): void => failed(error);
    const onClose = (): void => failed(new Error('closed before it was open'));
    const stop = (): void => {
      over = true;
      cancelTimer();
      this.opening.delete(cancel);
      socket?.off('close', onClose);
      socket?.off('error', onError);
      // The new owner adds its own listener; until then a late error concerns nobody.
      socket?.once('error', () => {});
    };
    const cancel = (): void => {
      if (over) return;
      stop();
      cut();
    };
    const follow = (dialled: Socket): void => {
      socket = dialled;
      dialled.once('error', onError);
      dialled.once('close', onClose);
      dialled.once(address.secure ? 'secureConnect' : 'connect', () => settle({ socket: dialled }));
    };
    const cancelTunnel =
      proxy && openTunnel(proxy, address, (error, tunnel) => (tunnel === null ? failed(error) : follow(this.dial(tunnel))));
    if (proxy === null) follow(this.dial());
    const cut = (): void => {
      cancelTunnel?.();
      socket?.destroy();
    };
    this.opening.add(cancel);
    return cancel;
  }

  /** Opens every idle connection anew: the peers of the present ones may be gone, as after a suspension (F57). */
  renew(): void {
    for (const entry of [...this.idle]) this.drop(entry);
    this.refill();
  }

  /** Cuts every idle and every opening connection. Idempotent. */
  close(): void {
    this.closed = true;
    this.cancelRetry?.();
    this.cancelRetry = null;
    for (const cancel of [...this.opening]) cancel();
    for (const entry of this.idle.splice(0)) {
      entry.letGo();
      entry.socket.destroy();
    }
  }

  private openAhead(replaced?: Idle): void {
    this.refilling += 1;
    this.backoff.attempt();
    this.open((opened) => {
      this.refilling -= 1;
      if (!('socket' in opened)) {
        this.options.onTrouble?.(opened.why, opened.certificate);
        if (replaced === undefined) this.retryLater();
        else this.replaceAfter(replaced, this.backoff.afterFailure(false));
        return;
      }
      this.backoff.reset();
      this.keep(opened.socket);
      if (replaced !== undefined) this.drop(replaced);
    });
  }

  private keep(socket: Socket): void {
    const onEnd = (): void => this.died(entry);
    const entry: Idle = {
      socket,
      openedMs: this.timers.monotonicMs(),
      cancelLife: () => {},
      letGo() {
        this.cancelLife();
        socket.off('readable', onEnd);
        socket.off('end', onEnd);
        socket.off('close', onEnd);
        socket.off('error', onEnd);
      },
    };
    // Who speaks before it was asked would answer an order that it has not read.
    socket.once('readable', onEnd);
    socket.once('end', onEnd);
    socket.once('close', onEnd);
    socket.once('error', onEnd);
    this.idle.push(entry);
    // Lives differ a little, so that not all are replaced at once.
    this.replaceAfter(entry, this.lifeMs * (0.75 + this.timers.random() / 4));
  }

  private replaceAfter(entry: Idle, delayMs: number): void {
    if (!this.idle.includes(entry)) return;
    entry.cancelLife = this.timers.after(delayMs, () => this.openAhead(entry));
  }

  /** The service closed an idle connection: the next ones are replaced sooner. One that died young counts as a failure. */
  private died(entry: Idle): void {
    this.drop(entry);
    const ageMs = this.timers.monotonicMs() - entry.openedMs;
    this.lifeMs = Math.max(MIN_LIFE_MS, Math.min(this.lifeMs, ageMs * LEARNED_SHARE));
    if (ageMs < MIN_LIFE_MS) this.retryLater();
    else this.refill();
  }

  private drop(entry: Idle): void {
    const at = this.idle.indexOf(entry);
    if (at < 0) return;
    this.idle.splice(at, 1);
    entry.letGo();
    // Its end is our own doing, or known already.
    entry.socket.on('error', () => {});
    entry.socket.destroy();
  }

  /** After the order that took one is on its way, not before it. */
  private refillSoon(): void {
    this.cancelRetry ??= this.timers.after(0, () => this.retry());
  }

  private retryLater(): void {
    if (this.closed) return;
    this.cancelRetry?.();
    this.cancelRetry = this.timers.after(this.backoff.afterFailure(false), () => this.retry());
  }

  private retry(): void {
    this.cancelRetry = null;
    this.refill();
  }

  /** Begins a connection, or TLS over one that a proxy has opened. */
  private dial(tunnel?: Socket): Socket {
    const { dial, address } = this.options;
    if (dial) return dial(address);
    const { host, port, secure } = address;
    if (!secure) return tcpConnect({ host, port, noDelay: true, keepAlive: true });
    const socket = tlsConnect({
      ...(tunnel ? { socket: tunnel } : { host, port }),
      // An address is no name that a certificate could be asked for.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...(this.session === null ? {} : { session: this.session }),
    });
    socket.setNoDelay(true);
    socket.on('session', (session: Buffer) => {
      this.session = session;
    });
    return socket;
  }
}

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/;

function isCertificateError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && CERTIFICATE.test(error.code);
}
