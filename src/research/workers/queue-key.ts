import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed text is for: one of another purpose is none. */
type Purpose = 'sweep' | 'worker' | 'job' | 'results' | 'stop' | 'pause' | 'ended' | 'blob';

/** The key that a coordinator and its workers share: HMAC-SHA256 over everything that goes between them. */
export class QueueKey {
  /** Names the key, and tells nothing of it. */
  readonly id: string;
  private readonly secret: string;

  constructor(secret: string) {
    this.secret = secret;
    this.id = createHmac('sha256', secret).update('kairos queue key').digest('hex').slice(0, 8);
  }

  /** A value as signed text. */
  sign(purpose: Purpose, value: unknown): string {
    const json = JSON.stringify(value);
    return `${this.mac(purpose, json)}.${json}`;
  }

  /** The value of a text that was signed with this key for this purpose; undefined for any other. */
  read(purpose: Purpose, text: string): unknown {
    const at = text.indexOf('.');
    const json = text.slice(at + 1);
    return at > 0 && isSame(text.slice(0, at), this.mac(purpose, json)) ? JSON.parse(json) : undefined;
  }

  /** The `Authorization` of a request for a path. */
  authorization(path: string): string {
    return `Kairos ${this.mac('blob', path)}`;
  }

  allows(path: string, authorization: string | undefined): boolean {
    return authorization !== undefined && isSame(authorization, this.authorization(path));
  }

  private mac(purpose: Purpose, text: string): string {
    return createHmac('sha256', this.secret).update(`${purpose}\n${text}`).digest('base64url');
  }
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
