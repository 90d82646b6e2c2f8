import { get } from 'node:http';
import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import { newNonce, PROOF_PATH, proves, venueKey } from '#paper-venue/proof.ts';

/** What a service said to a challenge: it is a Kairos venue of this user's, something else, or nothing at all. */
export type Proof = 'venue' | 'other' | 'silent';

const ANSWER_MS = 2000;
const MAX_BYTES = 1000;
const PROOF = /^\{"proof":"([0-9a-f]{64})"\}$/;

/**
 * Asks the service at an address whether it is a Kairos venue of this user's. The question carries no key and no user. Nothing is asked
 * off this machine, by TLS, or where no venue of this user's ever ran. Throws CONFIG_INVALID for no address.
 */
export async function askProof(baseUrl: string): Promise<Proof> {
  const { loopback, secure, host, port, prefix } = serviceAddress(baseUrl);
  const key = loopback && !secure ? venueKey() : undefined;
  if (!key) return 'other';
  const nonce = newNonce();
  const { promise, resolve } = Promise.withResolvers<Proof>();
  const request = get({ host, port, path: `${prefix}${PROOF_PATH}?nonce=${nonce}`, agent: false }, (answer) => {
    let said = '';
    answer.setEncoding('latin1');
    answer.on('data', (text: string) => {
      said += text;
      if (said.length > MAX_BYTES) answer.destroy();
    });
    answer.on('close', () => resolve(proves(key, nonce, PROOF.exec(said)?.[1] ?? '') ? 'venue' : 'other'));
    answer.on('error', () => resolve('other'));
  });
  request.setTimeout(ANSWER_MS, () => request.destroy());
  request.on('error', () => resolve('silent'));
  return promise;
}
