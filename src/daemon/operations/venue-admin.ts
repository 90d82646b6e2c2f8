import { KairosError, messageOf } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';

/** Time limit of a running paper venue's answer, in milliseconds. */
const ANSWER_MS = 5000;

/**
 * Calls one of a running paper venue's own paths, and returns the answer's JSON. Rejects with SERVICE_UNREACHABLE if
 * none listens, SERVICE_REFUSED with the venue's text, SERVICE_UNREADABLE if something else answers.
 */
export async function askVenue<T extends object>(baseUrl: string, path: string, body?: unknown): Promise<T> {
  const answer = await answerOf(new URL(path, baseUrl), body);
  const text = await answer.text();
  const json = jsonIn<T>(text);
  if (answer.ok && json !== undefined) return json;
  const said = json && 'error' in json ? ` (${String(json.error).slice(0, 200)})` : '';
  if (answer.ok)
    throw new KairosError('SERVICE_UNREADABLE', `${baseUrl} answered with something else than JSON; name a paper venue with --url`);
  throw new KairosError('SERVICE_REFUSED', `${baseUrl} answered with ${answer.status}${said}`);
}

async function answerOf(url: URL, body: unknown): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    if (body === undefined) return await fetch(url, { signal, redirect: 'manual' });
    const headers = { 'content-type': 'application/json' };
    return await fetch(url, { method: 'POST', signal, headers, body: JSON.stringify(body), redirect: 'manual' });
  } catch (error) {
    const mend = 'start one with `kairos venue`, or name its address with --url';
    throw new KairosError('SERVICE_UNREACHABLE', `no paper venue answers at ${url.origin}: ${messageOf(error)}; ${mend}`, { cause: error });
  }
}
