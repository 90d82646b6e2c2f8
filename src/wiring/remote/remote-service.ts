import { KairosError, messageOf } from '../../domain/errors.ts';
import type { InboxEvent } from '../../domain/event.ts';
import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '../../domain/remote.ts';
import type { Orchestrator } from '../../ports/orchestrator.ts';
import type { Timers } from '../../ports/timers.ts';
import { isShown } from '../../wire/read-back.ts';
import type { ServiceClient } from '../../wire/rest.ts';
import { checkStrategyLimits } from '../../wire/strategy-limits.ts';
import type { AskRemote } from '../engine/remote-acts.ts';
import { ServiceCache } from './service-cache.ts';

/** What is needed to ask the service about its strategies. */
export interface RemoteParts {
  readonly strategies: Orchestrator;
  readonly cache: Pick<ServiceCache, 'product'>;
  readonly timers: Pick<Timers, 'after'>;
}

/** An answer, and whether another one follows. */
export type Tell = (answer: RemoteAnswer, more: boolean) => void;

/** A 202 shows no effect: it is looked for so often, after so long each. */
const LOOKS_MS = [100, 400, 1000, 2000];

/**
 * Asks the service, and looks whether the effect can be read back: `tell` hears `asked` first, and then `confirmed` or
 * `unverified`. What breaks the product's limits is told as `failed` without being sent. Never rejects.
 */
export async function carryOut(asked: RemoteAsk, parts: RemoteParts, tell: Tell): Promise<void> {
  const fault = await limitFault(asked, parts.cache);
  if (fault !== null) return tell({ status: 'failed', httpStatus: null, response: fault }, false);
  const answer = await parts.strategies.ask(asked);
  if (answer.status !== 'asked' && answer.status !== 'unverified') return tell(answer, false);
  tell(answer, true);
  tell({ ...answer, status: (await isReadBack(asked, parts)) ? 'confirmed' : 'unverified' }, false);
}

/** Asks on behalf of the engine; each answer enters by the inbox. */
export function remoteOutside(client: ServiceClient, timers: Timers, post: (event: InboxEvent) => void): AskRemote {
  const parts = { strategies: client.strategies, cache: new ServiceCache(client, timers), timers };
  return (actionId, asked) =>
    void carryOut(asked, parts, (answer, more) => post({ kind: 'action', answer: { actionId, ...answer, more } }));
}

async function limitFault(asked: RemoteAsk, cache: RemoteParts['cache']): Promise<string | null> {
  const fields = asked.action === 'create' ? asked.fields : asked.action === 'modify' ? asked.changes : null;
  const code = asked.action === 'create' ? asked.fields.productCode : asked.action === 'modify' ? asked.productCode : undefined;
  if (fields === null || typeof code !== 'string') return null;
  try {
    const product = await cache.product(code);
    if (!product) return `the service lists no product ${JSON.stringify(code.slice(0, 64))}; nothing was sent`;
    checkStrategyLimits(fields, product);
    return null;
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return error.code === 'REMOTE_INVALID' ? messageOf(error) : `sizes cannot be checked, so nothing was sent: ${messageOf(error)}`;
  }
}

async function isReadBack(asked: RemoteAsk, { strategies, timers }: RemoteParts): Promise<boolean> {
  // What can never be shown need not be asked for.
  if (asked.action === 'create' || asked.action === 'flush' || asked.action === 'pauseAll' || asked.action === 'resumeAll') return false;
  for (const waitMs of LOOKS_MS) {
    await new Promise<void>((resolve) => timers.after(waitMs, resolve));
    const found = await foundOrNull(strategies);
    const shown = found && isShown(asked, found);
    if (shown === true) return true;
    // A service without read-back, or with words that nobody here knows: more looks would show no more.
    if (shown === null) return false;
  }
  return false;
}

async function foundOrNull(strategies: Orchestrator): Promise<readonly RemoteStrategy[] | null> {
  try {
    return await strategies.find();
  } catch (error) {
    // The request itself was answered; that its effect cannot be read back is what `unverified` says.
    if (error instanceof KairosError) return null;
    throw error;
  }
}
