import { type ClientOptions, WebSocket } from 'ws';
import { type Dial, dialAgent } from '#adapters/service-client/dial.ts';
import { proxyFor, tunnelAgent } from '#adapters/service-client/rest/proxy.ts';
import { USER_AGENT } from '#adapters/service-client/rest/service-address.ts';
import { messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';
import { MAX_FRAME_CHARS, printable } from './decode-frame.ts';

/** Events of a connection. None comes after `ended`, or after `destroy`. */
export interface SocketEvents {
  opened(): void;
  text(frame: string): void;
  /** The other side answered a ping or pinged itself: it is alive. */
  alive(): void;
  /** `violation` is true when the other side broke the protocol: binary, oversize, compressed or bad UTF-8 (F34). */
  ended(why: string, violation: boolean): void;
}

/** One connection of the feed, from the moment it is asked for. */
export interface QuoteSocket {
  send(text: string): void;
  ping(): void;
  /** Cuts the connection at once; no event follows. */
  destroy(): void;
}

/** Pings of the service within a second, and frames empty or too short to be a message; more are a flood (RFC 6455 sets no bound). */
const MAX_IDLE_A_SECOND = 100;
const SHORTEST_MESSAGE = '{"msgType":""}'.length;

/** Opens a connection; its outcome is told by the events, never by a throw. */
export type OpenQuoteSocket = (url: string, events: SocketEvents) => QuoteSocket;

const MAX_REDIRECTS = 3;
/** Time for the close frame to leave before the connection is cut. */
const CLOSE_MS = 1000;

/** Connections by ws: no compression, redirects within the service alone, at most 1 MiB a message, certificates always checked. */
export function wsSockets(timers: Timers, dial?: Dial): OpenQuoteSocket {
  return (url, events) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      headers: { 'user-agent': USER_AGENT },
      followRedirects: true,
      maxRedirects: MAX_REDIRECTS,
      skipUTF8Validation: false,
      maxPayload: MAX_FRAME_CHARS,
      rejectUnauthorized: true,
      ...connectedBy(url, dial),
    });
    let over = false;
    const letGo = (): void => {
      over = true;
      socket.removeAllListeners();
      // ws may still report the end that we caused; without a listener that would be thrown.
      socket.on('error', () => {});
    };
    const end = (why: string, violation: boolean): void => {
      if (over) return;
      letGo();
      closeSoon(socket, timers);
      events.ended(why, violation);
    };
    // Within the service alone, and never out of TLS: a user id and its quotes belong there.
    socket.on('redirect', (to, request) => {
      const from = new URL(url);
      const isWithin = URL.canParse(to) && new URL(to).host === from.host;
      if (isWithin && (from.protocol === 'ws:' || new URL(to).protocol === 'wss:')) return;
      request.destroy(new Error(`redirected elsewhere, ${printable(to, 100)}; check service.baseUrl`));
    });
    socket.on('open', () => events.opened());
    let idle = 0;
    let since = timers.monotonicMs();
    const isFlood = (): boolean => {
      const now = timers.monotonicMs();
      if (now - since >= 1000) [idle, since] = [0, now];
      idle += 1;
      // ws itself ends a connection on which more pings wait for their answer than it keeps, and says nothing of why.
      const isOpen = socket.readyState === WebSocket.OPEN;
      if (idle <= MAX_IDLE_A_SECOND && isOpen) return false;
      if (isOpen) socket.close(1008);
      end(`the service sent more than ${MAX_IDLE_A_SECOND} pings and empty frames within a second`, true);
      return true;
    };
    socket.on('message', (data, isBinary) => {
      if (over) return;
      if (isBinary) {
        socket.close(1003);
        return end('the service sent a binary frame', true);
      }
      const text = data.toString();
      if (text.length >= SHORTEST_MESSAGE || !isFlood()) events.text(text);
    });
    socket.on('ping', () => {
      if (!over && !isFlood()) events.alive();
    });
    socket.on('pong', () => events.alive());
    socket.on('error', (error) => end(withMend(messageOf(error)), isViolation(error)));
    socket.on('close', (code, reason) => end(`closed with ${code} ${printable(reason.toString(), 100)}`.trim(), false));
    return {
      send: (text) => socket.send(text),
      ping: () => socket.ping(),
      destroy() {
        if (over) return;
        letGo();
        socket.terminate();
      },
    };
  };
}

/** How ws gets its connection by `dial`, or where the environment names a proxy. */
function connectedBy(url: string, dial: Dial | undefined): Pick<ClientOptions, 'agent'> {
  const { hostname, port } = new URL(url);
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
  if (dial) return { agent: dialAgent(dial, target) };
  const proxy = proxyFor(target);
  return proxy === null ? {} : { agent: tunnelAgent(proxy, target) };
}

/** ws names every breach of the protocol by the other side with such a code. */
function isViolation(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('WS_ERR_');
}

/** After a violation the close frame is on its way; a side that does not answer it is cut. */
function closeSoon(socket: WebSocket, timers: Timers): void {
  if (socket.readyState !== WebSocket.CLOSING) {
    socket.terminate();
    return;
  }
  const cancel = timers.after(CLOSE_MS, () => socket.terminate());
  socket.once('close', cancel);
}

/** What answers 404 is there, and has no feed at this path. */
function withMend(why: string): string {
  return why.endsWith('response: 404') ? `${why}: no feed at this path, check service.brand and service.paths.quotes` : why;
}
