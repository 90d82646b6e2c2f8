/** One POST as it came: each header with every value it had, and the bytes of its body. */
export interface Delivery {
  readonly timestamps: readonly string[];
  readonly signatures: readonly string[];
  readonly body: Buffer;
}

/** True when a signature is exactly that of the bytes, under one of the secrets in use; takes the same time wherever they differ. */
export type Verify = (signed: Uint8Array, signature: string) => boolean;

/** A delivery that the service has signed. `timestampMs` is its own word on when. */
interface Authentic {
  readonly timestampMs: number;
  /** One text for one attempt: the same timestamp and body again have the same. */
  readonly attempt: string;
  /** A JSON object, as it was sent. */
  readonly text: string;
}

/** Why a delivery is turned away. Nothing of it is kept. */
interface TurnedAway {
  readonly status: 400 | 401;
  readonly error: 'NO_TIMESTAMP' | 'NO_SIGNATURE' | 'SIGNATURE' | 'BODY';
}

/** Unix milliseconds have 13 digits from 2001 to 2286: no sign, no blanks, no other length (B25). */
const TIMESTAMP = /^[1-9][0-9]{12}$/;
/** Base64 of 32 bytes. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a delivery by the rules of spec 5.4: one timestamp, one signature over timestamp and raw body, then the body. A
 * request's canon goes on after the timestamp with a letter and a webhook's with a brace: only a body that begins with one
 * is taken, so that no signature of ours can come back as a notification (B28).
 */
export function readDelivery({ timestamps, signatures, body }: Delivery, verify: Verify): Authentic | TurnedAway {
  const [timestamp] = timestamps;
  if (timestamps.length !== 1 || timestamp === undefined || !TIMESTAMP.test(timestamp)) return { status: 401, error: 'NO_TIMESTAMP' };
  const [signature] = signatures;
  if (signatures.length !== 1 || signature === undefined || !SIGNATURE.test(signature)) return { status: 401, error: 'NO_SIGNATURE' };
  if (!verify(Buffer.concat([Buffer.from(timestamp, 'latin1'), body]), signature)) return { status: 401, error: 'SIGNATURE' };
  const text = textOf(body);
  if (text === undefined || !text.startsWith('{')) return { status: 400, error: 'BODY' };
  return { timestampMs: Number(timestamp), attempt: `${timestamp}.${signature}`, text };
}

function textOf(body: Buffer): string | undefined {
  try {
    return UTF8.decode(body);
  } catch {
    // Not UTF-8, which a notification is (spec 6.1).
    return undefined;
  }
}
