/** One POST as received: every value of each header, and the bytes of the body. */
export interface Delivery {
  readonly timestamps: readonly string[];
  readonly signatures: readonly string[];
  readonly body: Buffer;
}

/** True if the signature matches the bytes under one of the present secrets. Compares in constant time. */
export type Verify = (signed: Uint8Array, signature: string) => boolean;

/** A delivery with a valid signature. `timestampMs` is the service's own time. */
interface Authentic {
  readonly timestampMs: number;
  /** The JSON object as sent. */
  readonly text: string;
}

/** Why a delivery is refused. Nothing of it is kept. */
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
 * Reads a delivery by the rules of spec 5.4: one timestamp, one signature over timestamp and raw body, then the body.
 * The body must begin with a brace: the signed text of our own requests has a letter there, so none of our signatures
 * can pass as a notification's (B28).
 */
export function readDelivery({ timestamps, signatures, body }: Delivery, verify: Verify): Authentic | TurnedAway {
  const [timestamp] = timestamps;
  if (timestamps.length !== 1 || timestamp === undefined || !TIMESTAMP.test(timestamp)) return { status: 401, error: 'NO_TIMESTAMP' };
  const [signature] = signatures;
  if (signatures.length !== 1 || signature === undefined || !SIGNATURE.test(signature)) return { status: 401, error: 'NO_SIGNATURE' };
  if (!verify(Buffer.concat([Buffer.from(timestamp, 'latin1'), body]), signature)) return { status: 401, error: 'SIGNATURE' };
  const text = textOf(body);
  if (text === undefined || !text.startsWith('{')) return { status: 400, error: 'BODY' };
  return { timestampMs: Number(timestamp), text };
}

function textOf(body: Buffer): string | undefined {
  try {
    return UTF8.decode(body);
  } catch {
    // Not UTF-8, which spec 6.1 requires.
    return undefined;
  }
}
