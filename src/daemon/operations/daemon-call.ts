import type { IncomingMessage } from 'node:http';

// `import` of node:http would load Node's whole fetch as well, which takes longer than most commands.
const { request } = process.getBuiltinModule('node:http');

/** A request to a control server. */
export interface DaemonCall {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time limit of the whole call, in milliseconds. */
  readonly withinMs: number;
}

/** What a control server answered; redirects are not followed. */
export interface DaemonAnswer {
  readonly ok: boolean;
  readonly status: number;
  /** The parsed JSON. */
  readonly said: unknown;
}

/** Calls a control server on this machine, on a connection of its own. Rejects without an answer in time, or for one that is not JSON. */
export async function callDaemon(url: string, { method = 'GET', headers = {}, body, withinMs }: DaemonCall): Promise<DaemonAnswer> {
  const signal = AbortSignal.timeout(withinMs);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers, signal, agent: false }, resolve).on('error', reject).end(body);
    });
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    const status = answer.statusCode ?? 0;
    return { ok: status >= 200 && status <= 299, status, said: JSON.parse(text) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
