import { callDaemon } from '#daemon/operations/daemon-call.ts';
import { messageOf } from '#domain/errors.ts';

/** What a daemon answered, or why it did not. */
export type MemberAnswer = { readonly status: number; readonly body: unknown } | { readonly failed: string };

/** A daemon that has said nothing for so long is silent. */
const ANSWER_MS = 5_000;

/** Asks a daemon of this machine: looks without `post`. */
export async function askAt(url: string, path: string, post?: { readonly token: string; readonly body: object }): Promise<MemberAnswer> {
  try {
    const { status, said } = await callDaemon(`${url}/api/${path}`, { post: post?.body, token: post?.token, withinMs: ANSWER_MS });
    return { status, body: said };
  } catch (error) {
    return { failed: whyFailed(error) };
  }
}

function whyFailed(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `it did not answer within ${ANSWER_MS / 1000} s`;
  if (error instanceof SyntaxError) return 'what answers there is no daemon';
  const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  return isRefused ? 'nothing listens there: no daemon runs, or it has another port now' : messageOf(error);
}
