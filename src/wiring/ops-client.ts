import { type ErrorCode, KairosError, messageOf } from '../domain/errors.ts';
import type { ActOfPerson } from '../domain/event.ts';
import type { Published } from './ops-files.ts';

const ANSWER_MS = 5_000;

/** Asks a running daemon for an act; it is journaled on return. Throws what the daemon throws, or OPS_UNAVAILABLE. */
export async function askDaemon(act: ActOfPerson, { url, pid }: Published, token: string): Promise<void> {
  // The daemon knows the configuration that it runs: the hash says whether it is the one to be armed.
  const { act: name, ...body } = act.act === 'arm' ? { ...act, config: undefined } : act;
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    answer = await response.json();
  } catch (error) {
    throw new KairosError('OPS_UNAVAILABLE', `the daemon, process ${pid}, does not answer at ${url} (${messageOf(error)}): is it busy?`);
  }
  if (!response.ok) throw refusalIn(answer, { url, status: response.status });
}

const KNOWN: readonly ErrorCode[] = ['NOT_FOUND', 'USAGE', 'CONFIG_INVALID', 'JOURNAL_FAULT'];

function refusalIn(answer: unknown, { url, status }: { readonly url: string; readonly status: number }): KairosError {
  const fields: { readonly error?: unknown; readonly message?: unknown } = typeof answer === 'object' && answer !== null ? answer : {};
  const text = typeof fields.message === 'string' ? fields.message : 'no reason given';
  const code = KNOWN.find((known) => known === fields.error);
  return code ? new KairosError(code, text) : new KairosError('OPS_UNAVAILABLE', `the daemon at ${url} refused (${status}): ${text}`);
}
