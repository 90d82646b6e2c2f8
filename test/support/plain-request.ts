import { request } from 'node:http';

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface PlainRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request on a connection of its own: none is left over for a server that takes the same port later. */
export function plainRequest(url: string, { method = 'GET', headers = {}, body }: PlainRequest = {}): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.end(body);
  });
}
