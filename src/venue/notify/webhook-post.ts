import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Timers } from '#ports/timers.ts';

interface WebhookPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The partner's answer, or why there was none. */
export type PostResult = { readonly status: number } | { readonly error: string };

/**
 * Sends one POST on a connection of its own and returns the status of the answer, whose body is not read. Redirects are not
 * followed. Never rejects; `signal` cuts it short.
 */
export function postWebhook({ url, headers, body, timeoutMs }: WebhookPost, timers: Timers, signal: AbortSignal): Promise<PostResult> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = String(Buffer.byteLength(body));
    const request = send(url, { method: 'POST', headers: { ...headers, 'content-length': length }, agent: false, signal });
    const cut = timers.after(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    const settle = (result: PostResult) => {
      cut();
      resolve(result);
    };
    request.on('response', (response) => {
      settle({ status: response.statusCode ?? 0 });
      response.on('error', () => {
        // The status has decided; how the body ends is nobody's concern.
      });
      response.destroy();
    });
    request.on('error', (error) => settle({ error: error.message }));
    request.end(body);
  });
}
