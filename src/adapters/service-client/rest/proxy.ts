import { Agent, request as requestSecurely } from 'node:https';
import { isIP, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { buildConnector } from 'undici';
import { type Dial, dialled } from '#adapters/service-client/dial.ts';
import { KairosError } from '#domain/errors.ts';
import type { Cancel } from '#ports/timers.ts';
import { isLoopback } from './service-address.ts';

// `import` of node:http would load Node's whole fetch as well.
const { request } = process.getBuiltinModule('node:http');

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that the environment names for the service. */
interface Proxy {
  readonly url: URL;
  /** The variable that named it. */
  readonly variable: string;
}

/** Where a connection leads in the end. */
interface Target {
  readonly host: string;
  readonly port: number;
}

/** The proxy for an address, by `HTTPS_PROXY`, else `HTTP_PROXY`, in either case; null on this machine, for what `NO_PROXY` names, and for none. Throws CONFIG_INVALID. */
export function proxyFor({ host, port }: Target, env: Environment = process.env): Proxy | null {
  if (isLoopback(host) || isExcluded({ host, port }, variableOf(env, 'NO_PROXY')?.text ?? '')) return null;
  const given = variableOf(env, 'HTTPS_PROXY') ?? variableOf(env, 'HTTP_PROXY');
  if (given === undefined) return null;
  const text = given.text.includes('://') ? given.text : `http://${given.text}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new KairosError('CONFIG_INVALID', `${given.name}: not the http or https address of a proxy, such as http://proxy.example:3128`);
  }
  return { url, variable: given.name };
}

/** Host and port of a proxy, without its credentials. */
export const proxyText = ({ url }: Proxy): string => `${url.protocol}//${url.host}`;

function variableOf(env: Environment, name: string): { readonly name: string; readonly text: string } | undefined {
  for (const spelled of [name.toLowerCase(), name]) {
    const text = env[spelled]?.trim() ?? '';
    if (text !== '') return { name: spelled, text };
  }
  return undefined;
}

/** `*`, names with all that is below them, addresses; each with a port or for all. */
function isExcluded({ host, port }: Target, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase().replace(/^\*?\./, '')) ?? [];
    if (name === '' || (only !== undefined && Number(only) !== port)) return false;
    return host.toLowerCase() === name || host.toLowerCase().endsWith(`.${name}`);
  });
}

/** No connection through the proxy: no byte of a request has left. */
class TunnelError extends Error {
  readonly code = 'ERR_PROXY_TUNNEL';
}

/** Asks the proxy for a connection (CONNECT, RFC 9110 9.3.6). `done` is called once, never before this returns; not at all once cancelled. */
export function openTunnel(proxy: Proxy, target: Target, done: (error: Error | null, socket: Socket | null) => void): Cancel {
  const { url } = proxy;
  const { host, port } = target;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const said = (why: string): TunnelError => new TunnelError(`the proxy ${proxyText(proxy)} (${proxy.variable}) ${why}`);
  const ask = (url.protocol === 'https:' ? requestSecurely : request)({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(url) },
    agent: false,
    ...(url.protocol === 'https:' && { rejectUnauthorized: true }),
  });
  let over = false;
  const settle = (error: Error | null, socket: Socket | null): void => {
    if (over) socket?.destroy();
    else {
      over = true;
      done(error, socket);
    }
  };
  ask.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
    if (statusCode >= 200 && statusCode <= 299 && head.length === 0) return settle(null, socket.setNoDelay(true));
    socket.destroy();
    const mend = statusCode === 407 ? ': it wants a user and a password, as in http://user:password@host:port' : '';
    settle(said(`answered ${statusCode} to CONNECT ${authority}${mend}`), null);
  });
  ask.on('response', ({ statusCode }) => {
    settle(said(`answered ${statusCode} to CONNECT ${authority}`), null);
    ask.destroy();
  });
  ask.on('error', (error) => settle(said(`cannot be reached: ${error.message}`), null));
  ask.end();
  return () => {
    over = true;
    ask.destroy();
  };
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}

/** How undici connects to an origin: by `dial` where that is given, else with certificates checked, through the proxy where there is one. */
export function connectTo(
  target: Target & { readonly secure?: boolean },
  timeoutMs: number,
  dial?: Dial | undefined,
): buildConnector.BuildOptions | buildConnector.connector {
  if (dial) return dialled(dial, target, target.secure ?? true);
  const own = { timeout: timeoutMs, rejectUnauthorized: true, allowH2: false };
  const proxy = proxyFor(target);
  if (proxy === null) return own;
  const secure = buildConnector(own);
  return (options, callback) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const cancel = openTunnel(proxy, target, (error, socket) => {
      limit.removeEventListener('abort', late);
      if (socket === null) callback(error ?? new TunnelError('no tunnel'), null);
      else if (options.protocol === 'http:') callback(null, socket);
      else secure({ ...options, httpSocket: socket }, callback);
    });
    const late = (): void => {
      cancel();
      callback(new TunnelError(`the proxy ${proxyText(proxy)} (${proxy.variable}) opened nothing within ${timeoutMs} ms`), null);
    };
    limit.addEventListener('abort', late);
  };
}

/** How undici connects to whatever it is sent to: each origin through the proxy that the environment names for it. */
export function connectToAny(timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const { protocol, hostname, port } = options;
    let how: ReturnType<typeof connectTo>;
    try {
      how = connectTo({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }, timeoutMs);
    } catch (error) {
      return callback(error instanceof Error ? error : new Error(String(error)), null);
    }
    return (typeof how === 'function' ? how : buildConnector(how))(options, callback);
  };
}

/** Gives each connection of Node's own client, such as that of a WebSocket, a tunnel with TLS in it. */
export function tunnelAgent(proxy: Proxy, target: Target): Agent {
  const named = isIP(target.host) === 0 ? { servername: target.host } : {};
  return new (class extends Agent {
    override createConnection(_options: unknown, connected?: (error: Error | null, socket: Duplex) => void): undefined {
      openTunnel(proxy, target, (error, socket) => {
        // Node reads no socket beside an error.
        if (socket === null) connected?.(error, new Socket().destroy());
        else connected?.(null, tlsConnect({ socket, ...named, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true }));
      });
    }
  })();
}
