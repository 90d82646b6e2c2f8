import { Socket } from 'node:net';
import type { Dial } from '#adapters/service-client/dial.ts';
import { type ServiceAddress, serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { messageOf } from '#domain/errors.ts';
import { newNonce, PROOF_PATH, proves, venueKey } from '#paper-venue/proof.ts';
import type { Cancel } from '#ports/timers.ts';

/** What a service said to a challenge: it is a Kairos venue of this user's, something else, or nothing at all. */
export type Proof = 'venue' | 'other' | 'silent';

const ANSWER_MS = 2000;
const MAX_BYTES = 1000;
const BEGIN = 'HTTP/1.1 200 ';
const ANSWER = /\r\n\r\n\{"proof":"([0-9a-f]{64})"\}$/;

/** Not a byte of a request has left. */
class UnprovenError extends Error {
  readonly code = 'ERR_VENUE_UNPROVEN';
  readonly isSilent: boolean;
  constructor(why: string, isSilent: boolean) {
    super(why);
    this.isSilent = isSilent;
  }
}

/** A connection that tells `connect` once its other side has proved to be a Kairos venue of this user's. The question carries no key and no user. */
class ProvenSocket extends Socket {
  private readonly venue: ServiceAddress;
  private said = '';
  private isProven = false;
  /** Ends the wait for a proof. */
  private readonly ended: Cancel;

  constructor(address: ServiceAddress) {
    super();
    this.venue = address;
    this.setNoDelay(true).setKeepAlive(true);
    this.ended = systemTimers.after(ANSWER_MS, this.refuse);
    this.once('close', this.ended);
    this.connect({ host: address.host, port: address.port });
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'connect' || this.isProven) return super.emit(event, ...args);
    try {
      this.ask(venueKey(), newNonce());
    } catch (error) {
      // No file descriptor is left for the key (F63).
      this.destroy(new Error(`the key of venues cannot be read: ${messageOf(error)}`));
    }
    return true;
  }

  private ask(key: Buffer | undefined, nonce: string): void {
    const { origin, prefix } = this.venue;
    const hear = (): void => {
      const more: Buffer | null = this.read();
      this.said += more?.toString('latin1') ?? '';
      const proof = ANSWER.exec(this.said)?.[1];
      const mayCome = this.said.length <= MAX_BYTES && BEGIN.startsWith(this.said.slice(0, BEGIN.length));
      if (proof === undefined && mayCome) return;
      if (!key || !proves(key, nonce, proof ?? '')) return this.refuse();
      this.off('readable', hear).off('end', this.refuse);
      this.ended();
      this.isProven = true;
      this.emit('connect');
    };
    this.on('readable', hear).once('end', this.refuse);
    this.write(`GET ${prefix}${PROOF_PATH}?nonce=${nonce} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: keep-alive\r\n\r\n`);
  }

  private readonly refuse = (): void => {
    const { origin } = this.venue;
    this.destroy(
      this.said === ''
        ? new UnprovenError(`${origin} does not answer`, true)
        : new UnprovenError(`${origin} is no Kairos venue of yours`, false),
    );
  };
}

/** Connects to the venue at an address: each connection proves itself before it is used. */
export const venueDial =
  (address: ServiceAddress): Dial =>
  () =>
    new ProvenSocket(address);

/**
 * Asks the service at an address whether it is a Kairos venue of this user's. Nothing is asked off this machine, by TLS, or where no venue
 * of this user's ever ran. Throws CONFIG_INVALID for no address.
 */
export async function askProof(baseUrl: string): Promise<Proof> {
  const address = serviceAddress(baseUrl);
  if (!address.loopback || address.secure || !venueKey()) return 'other';
  const { promise, resolve } = Promise.withResolvers<Proof>();
  const socket = new ProvenSocket(address);
  socket.once('connect', () => resolve('venue'));
  socket.once('error', (error) => resolve(error instanceof UnprovenError && !error.isSilent ? 'other' : 'silent'));
  return promise.finally(() => socket.destroy());
}
