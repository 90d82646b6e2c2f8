import { messageOf } from '#domain/errors.ts';
import type { Channel, Message } from './alert.ts';
import { cut } from './message.ts';

/** What is posted for one message. */
interface Post {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer longer than this is no receipt. */
const MAX_BYTES = 64 * 1024;
const MAX_SHOWN = 200;
/** Characters of a part of an address from which on it may be a secret. */
const LONG = 8;
const CONNECT_MS = 5_000;

/**
 * A channel that posts JSON and takes any 2xx for delivered. Redirects are not followed, and a proxy of the environment is used as for the service. `secrets` are taken out of what
 * is said of a failure (I15).
 */
export function postChannel(
  name: string,
  { secrets }: { readonly secrets: readonly string[] },
  postOf: (message: Message) => Post,
): Channel {
  // Loaded for the first message: whoever reads the settings of channels need not have it.
  const connect = async () => {
    const { Agent, request } = await import('undici');
    const { connectToAny } = await import('#adapters/service-client/rest/proxy.ts');
    const agent = new Agent({
      allowH2: false,
      connections: 1,
      pipelining: 1,
      connect: connectToAny(CONNECT_MS),
      keepAliveTimeout: 1_000,
      maxResponseSize: MAX_BYTES,
    });
    return { agent, request };
  };
  let client: ReturnType<typeof connect> | undefined;
  const hidden = secrets.flatMap(partsOf).sort((a, b) => b.length - a.length);
  const clean = (text: string): string => hidden.reduce((left, secret) => left.replaceAll(secret, '[set]'), text);
  return {
    name,
    async send(message, signal) {
      client ??= connect();
      const { agent, request } = await client;
      const { url, body, headers } = postOf(message);
      const failed = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      }).then(
        async (answer) => {
          const text = await answer.body.text().catch(() => '');
          const { statusCode: status } = answer;
          return status >= 200 && status <= 299 ? undefined : `answered ${status}${text === '' ? '' : `: ${text}`}`;
        },
        (error: unknown) => causeOf(error),
      );
      if (failed !== undefined) throw new Error(cut(clean(failed).replaceAll(/\s+/g, ' ').trim(), MAX_SHOWN));
    },
    close: async () => (await client)?.agent.destroy(),
  };
}

/** A secret, and of an address what a server may repeat alone: its path, and each part of that in which there is room for a secret. */
function partsOf(secret: string): readonly string[] {
  if (!/^https?:/.test(secret) || !URL.canParse(secret)) return [secret];
  const { pathname, search } = new URL(secret);
  const path = `${pathname}${search}`;
  return [secret, ...(path === '/' ? [] : [path]), ...path.split(/[/?&=]/).filter((part) => part.length >= LONG)];
}

/** undici gathers the failures of several addresses under one without a message. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ');
  return messageOf(error);
}
