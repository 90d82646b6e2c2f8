import type { IncomingMessage } from 'node:http';

// `import` of node:http would load Node's whole fetch as well, which takes longer than most commands.
const { getBuiltinModule } = process;

/** A request to a server of Kairos. */
export interface DaemonCall {
  /** What is posted, as JSON; without it the call only looks. */
  readonly post?: unknown;
  /** In a header, never in the address. */
  readonly token?: string | undefined;
  readonly userAgent?: string;
  /** False: the answer may be any text, and is not parsed. */
  readonly isJson?: boolean;
  /** Time limit of the whole call, in milliseconds. */
  readonly withinMs: number;
}

/** What it answered; redirects are not followed. */
export interface DaemonAnswer {
  readonly ok: boolean;
  readonly status: number;
  /** The parsed JSON, or the text. */
  readonly said: unknown;
}

/** Calls a server by http, on a connection of its own. Rejects without an answer in time, or for one that is not JSON. */
export async function callDaemon(
  url: string | URL,
  { post, token, userAgent, isJson = true, withinMs }: DaemonCall,
): Promise<DaemonAnswer> {
  const headers = {
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(post !== undefined && { 'content-type': 'application/json' }),
  };
  const signal = AbortSignal.timeout(withinMs);
  const { request } = getBuiltinModule(String(url).startsWith('https:') ? 'node:https' : 'node:http');
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method: post === undefined ? 'GET' : 'POST', headers, signal, agent: false }, resolve)
        .on('error', reject)
        .end(JSON.stringify(post));
    });
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    const status = answer.statusCode ?? 0;
    return { ok: status >= 200 && status <= 299, status, said: isJson ? JSON.parse(text) : text };
  } catch (error) {
    // Failures of several addresses come under one without a message.
    throw signal.aborted ? signal.reason : error instanceof AggregateError ? error.errors[0] : error;
  }
}
