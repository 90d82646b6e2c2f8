import { KairosError, messageOf } from './errors.ts';

interface Listener {
  listen(at: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<unknown>;
}

/** Opens a server and returns its address. Throws PORT_IN_USE where that fails, with the server closed; `setting` names the port. */
export async function listenAt(
  server: Listener,
  { host, port }: { readonly host: string; readonly port: number },
  setting: string,
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const why = taken ? `another program listens there; set ${setting} to another one` : messageOf(error);
    throw new KairosError('PORT_IN_USE', `${setting}: cannot listen on ${host}:${port}: ${why}`);
  }
}
