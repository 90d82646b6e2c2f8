import { KairosError, messageOf } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';
import { callDaemon, type DaemonAnswer } from './daemon-call.ts';

/** Time limit of a running paper venue's answer, in milliseconds. */
const ANSWER_MS = 5000;

/**
 * Calls one of a running paper venue's own paths, and returns the answer's JSON. Rejects with SERVICE_UNREACHABLE if
 * none listens, SERVICE_REFUSED with the venue's text, SERVICE_UNREADABLE if something else answers.
 */
export async function askVenue<T extends object>(baseUrl: string, path: string, body?: unknown): Promise<T> {
  const answer = await answerOf(new URL(path, baseUrl), body);
  const json = jsonIn<T>(String(answer.said));
  if (answer.ok && json !== undefined) return json;
  const said = json && 'error' in json ? ` (${String(json.error).slice(0, 200)})` : '';
  if (answer.ok)
    throw new KairosError('SERVICE_UNREADABLE', `${baseUrl} answered with something else than JSON; name a paper venue with --url`);
  throw new KairosError('SERVICE_REFUSED', `${baseUrl} answered with ${answer.status}${said}`);
}

async function answerOf(url: URL, post: unknown): Promise<DaemonAnswer> {
  try {
    return await callDaemon(url, { post, isJson: false, withinMs: ANSWER_MS });
  } catch (error) {
    const mend = 'start one with `kairos venue`, or name its address with --url';
    throw new KairosError('SERVICE_UNREACHABLE', `no paper venue answers at ${url.origin}: ${messageOf(error)}; ${mend}`, { cause: error });
  }
}
