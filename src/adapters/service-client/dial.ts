import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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

/** How Node's own client connects in clear, such as that of a WebSocket, where `dial` begins its connections. */
export function dialAgent(dial: Dial, to: Parameters<Dial>[0]): Agent {
  // `import` of node:http would load Node's whole fetch as well.
  const { Agent } = process.getBuiltinModule('node:http');
  return new (class extends Agent {
    override createConnection(_options: unknown, connected?: (error: Error | null, socket: Duplex) => void): undefined {
      const socket = dial(to);
      const failed = (error: Error): void => connected?.(error, socket);
      socket.once('error', failed).once('connect', () => {
        socket.off('error', failed);
        connected?.(null, socket);
      });
    }
  })();
}
