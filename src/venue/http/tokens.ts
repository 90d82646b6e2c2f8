import { createHmac } from 'node:crypto';
import { jsonObjectOf } from './json.ts';
import { sameText } from './same-text.ts';

export type TokenUse = 'access' | 'refresh';

/** Bearer tokens: JWTs signed with HS256 and a key that is drawn anew at each start. */
export class Tokens {
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  issue(use: TokenUse, subject: string, time: { readonly nowMs: number; readonly lifeSeconds: number }): string {
    const issuedAt = Math.floor(time.nowMs / 1000);
    const claims = { sub: subject, use, iat: issuedAt, exp: issuedAt + time.lifeSeconds };
    const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
    return `${signed}.${this.signatureOf(signed)}`;
  }

  /** The subject of a token of this use that is ours and has not expired; undefined otherwise. */
  subjectOf(use: TokenUse, token: string, nowMs: number): string | undefined {
    const parts = token.split('.');
    const [header, payload, signature] = parts;
    if (parts.length !== 3 || !header || !payload || !signature) return undefined;
    if (!sameText(signature, this.signatureOf(`${header}.${payload}`))) return undefined;
    const claims = jsonObjectOf(Buffer.from(payload, 'base64url'));
    const alive = typeof claims?.exp === 'number' && nowMs < claims.exp * 1000;
    return alive && claims.use === use && typeof claims.sub === 'string' ? claims.sub : undefined;
  }

  private signatureOf(signed: string): string {
    return createHmac('sha256', this.key).update(signed).digest('base64url');
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
