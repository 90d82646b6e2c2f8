import { Agent, request } from 'undici';
import { connectToAny } from '#adapters/service-client/rest/proxy.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
const MAX_SHOWN = 200;

/** Posts JSON to an address of anybody, through the proxy that the environment names. Returns the status and how the text begins. */
export async function postOnce(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const dispatcher = new Agent({ allowH2: false, connect: connectToAny(CONNECT_MS), headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });
  try {
    const answer = await request(url, { dispatcher, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    return { status: answer.statusCode, text: (await answer.body.text()).slice(0, MAX_SHOWN) };
  } finally {
    await dispatcher.destroy();
  }
}
