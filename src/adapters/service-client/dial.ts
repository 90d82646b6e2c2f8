import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Begins a connection to a host; `connect`, or `secureConnect` where TLS is spoken, tells that it is there. */
export type Dial = (to: { readonly host: string; readonly port: number }) => Socket;

/** How undici connects where `dial` begins its connections. */
export function dialled(dial: Dial, to: Parameters<Dial>[0], secure: boolean): buildConnector.connector {
  return (_options, callback) => {
    const socket = dial(to);
    const failed = (error: Error): void => callback(error, null);
    socket.once('error', failed);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      socket.off('error', failed);
      callback(null, socket);
    });
  };
}
