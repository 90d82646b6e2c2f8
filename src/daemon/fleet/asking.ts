import { messageOf } from '#domain/errors.ts';

/** What a daemon answered, or why it did not. */
export type MemberAnswer = { readonly status: number; readonly body: unknown } | { readonly failed: string };

/** A daemon that has said nothing for so long is silent. */
const ANSWER_MS = 5_000;

/** Asks a daemon of this machine: looks without `post`. A token goes into a header, never into the address. */
export async function askAt(
  url: string,
  path: string,
  post?: { readonly token: string; readonly body: object; readonly withinMs?: number },
): Promise<MemberAnswer> {
  const request = post && {
    method: 'POST',
    headers: { authorization: `Bearer ${post.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(post.body),
  };
  try {
    const response = await fetch(`${url}/api/${path}`, {
      ...request,
      redirect: 'error',
      signal: AbortSignal.timeout(post?.withinMs ?? ANSWER_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { failed: whyFailed(error) };
  }
}

function whyFailed(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `it did not answer within ${ANSWER_MS / 1000} s`;
  if (error instanceof SyntaxError) return 'what answers there is no daemon';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNREFUSED' ? 'nothing listens there: no daemon runs, or it has another port now' : messageOf(cause ?? error);
}
