/** A request on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Headers by lower-case name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Every byte of it. */
  readonly bytes: string;
}

/** Reads requests from the bytes of one connection. */
export class RequestReader {
  private text = '';

  /** The requests that are now complete. */
  add(bytes: Buffer): readonly WireRequest[] {
    this.text += bytes.toString('latin1');
    const requests: WireRequest[] = [];
    for (let request = this.next(); request; request = this.next()) requests.push(request);
    return requests;
  }

  private next(): WireRequest | undefined {
    const end = this.text.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.text.slice(0, end).split('\r\n');
    const [method = '', path = ''] = first.split(' ');
    const headers = new Map<string, string>();
    for (const line of lines) {
      const at = line.indexOf(':');
      const name = line.slice(0, at).toLowerCase();
      const value = line.slice(at + 1).trim();
      headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
    }
    const length = Number(headers.get('content-length') ?? 0);
    const whole = end + 4 + length;
    if (this.text.length < whole) return undefined;
    const bytes = this.text.slice(0, whole);
    this.text = this.text.slice(whole);
    return { method, path, headers, body: bytes.slice(end + 4), bytes };
  }
}

/** Where orders are posted, in every dialect. */
export const isOrderPath = (path: string): boolean => /^\/[a-z]+-broker\/api\/(orders|trades)$/.test(path);

/** An answer before it is sent. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** An answer as its bytes on the wire. */
export function answerBytes({ status, headers, body }: WireAnswer): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const lines = Object.entries({ ...headers, 'content-length': String(bytes.length) }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Simulated\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}
