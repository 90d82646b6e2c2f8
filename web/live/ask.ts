import { shownIn } from '#domain/one-line.ts';

/** The daemon's answer to a request, or its error in one line. */
export type Answer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  /** `token`: the token is missing or wrong. */
  | { readonly kind: 'refused'; readonly why: string; readonly token: boolean }
  /** The outcome is unknown. */
  | { readonly kind: 'lost'; readonly why: string };

const MAX_MS = 15_000;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;

/** Sends a GET request. */
export const look = <Body>(path: string): Promise<Answer<Body>> => ask(path, {});

/** Requests an act, with the token; `instance`: the daemon that it is meant for (`HelloView`), where that matters. */
export function act<Body>(
  path: string,
  body: object,
  { token, instance }: { readonly token: string; readonly instance: string | undefined },
): Promise<Answer<Body>> {
  return ask(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(instance !== undefined && { 'x-kairos-instance': instance }),
    },
    body: JSON.stringify(body),
  });
}

async function ask<Body>(path: string, init: RequestInit): Promise<Answer<Body>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...init, signal: AbortSignal.timeout(MAX_MS) });
    text = await response.text();
  } catch (error) {
    const why = error instanceof DOMException && error.name === 'TimeoutError' ? 'it did not answer in time' : 'it cannot be reached';
    return { kind: 'lost', why: `The daemon: ${why}.` };
  }
  const body = parsed(text);
  if (response.ok && body !== undefined) return { kind: 'done', body: body as Body };
  if (response.status === UNAUTHORIZED)
    return { kind: 'refused', why: 'The daemon refuses this token, and nothing was done: copy it again.', token: true };
  // 429 follows only after too many wrong tokens.
  return { kind: 'refused', why: messageIn(body) ?? `The daemon answered ${response.status}.`, token: response.status === TOO_MANY };
}

function parsed(text: string): unknown {
  try {
    return shownIn(text);
  } catch {
    // The answer is not from the daemon, and its status is enough.
    return undefined;
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}
