import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Path at which a venue answers a challenge: `?nonce=` and 64 hexadecimal digits. */
export const PROOF_PATH = '/venue/proof';

const NONCE = /^[0-9a-f]{64}$/;
const KEY_BYTES = 32;
const OTHERS = 0o077;

/** The file of the key by which venues and daemons of one user know each other: in the user's state folder. */
function keyFile(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env.XDG_STATE_HOME || path.join(homedir(), '.local', 'state'), 'kairos', 'venue.key');
}

/** The user's key; undefined if there is none, or if it is not this user's alone. */
export function venueKey(): Buffer | undefined {
  const file = keyFile();
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  if (process.platform !== 'win32' && ((stat.mode & OTHERS) !== 0 || stat.uid !== process.getuid?.())) return undefined;
  const key = readFileSync(file);
  return key.length === KEY_BYTES ? key : undefined;
}

/** Makes the user's key where there is none. Throws where the folder cannot be written, or where others can read the key that is there. */
export function makeVenueKey(): void {
  if (venueKey()) return;
  const file = keyFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(beside, randomBytes(KEY_BYTES), { mode: 0o600 });
  try {
    // A link is whole or not there, and leaves the key of another process that was quicker.
    linkSync(beside, file);
  } catch (error) {
    if (!venueKey()) throw new Error(`${file} is not a key that you alone can read: remove it`, { cause: error });
  } finally {
    rmSync(beside);
  }
}

/** A challenge that no venue has seen. */
export const newNonce = (): string => randomBytes(KEY_BYTES).toString('hex');

/** The answer to a challenge; undefined for what is none. */
export function proofOf(key: Buffer, nonce: string): string | undefined {
  return NONCE.test(nonce) ? createHmac('sha256', key).update(`kairos venue ${nonce}`).digest('hex') : undefined;
}

/** True if the answer to a challenge shows the key. */
export function proves(key: Buffer, nonce: string, answer: string): boolean {
  const expected = Buffer.from(proofOf(key, nonce) ?? '');
  const given = Buffer.from(answer);
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
}
