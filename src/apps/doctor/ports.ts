import { createServer } from 'node:net';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import { type Finding, fail, ok } from './finding.ts';

interface Listener {
  readonly check: string;
  readonly host: string;
  /** Null: the next free one from 8080; 0: any that is free. */
  readonly port: number | null;
  readonly mend: string;
}

/** Whether the daemon can listen where it is to; `running` is the process of one that does already. */
export async function portFindings(
  { ops, webhooks }: Pick<Settings, 'ops' | 'webhooks'>,
  running: number | null,
): Promise<readonly Finding[]> {
  const control = await findingOf({ check: 'port', ...ops, mend: 'set another ops.port, or none' }, running);
  if (!webhooks.enabled) return [control];
  return [control, await findingOf({ check: 'webhooks port', ...webhooks, mend: 'set another webhooks.port' }, running)];
}

async function findingOf({ check, host, port, mend }: Listener, running: number | null): Promise<Finding> {
  if (port === null) return ok(check, 'the next free one from 8080');
  if (port === 0) return ok(check, 'one that is free');
  if (running !== null) return ok(check, `${port}: the daemon of process ${running} runs`);
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return ok(check, `${host}:${port} is free`);
  } catch (error) {
    return fail(check, `${host}:${port} cannot be had: ${messageOf(error)}`, mend);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
