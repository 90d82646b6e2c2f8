import { KairosError, messageOf } from './errors.ts';

/** The error of a server that cannot listen at its address; `setting` names the port. */
export function listenFault(
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): KairosError {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const why = taken ? `another program listens there; set ${setting} to another one` : messageOf(error);
  return new KairosError('PORT_IN_USE', `${setting}: cannot listen on ${host}:${port}: ${why}`);
}
