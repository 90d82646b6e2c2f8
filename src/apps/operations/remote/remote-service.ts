import { isShown } from '#adapters/service/rest/read-back.ts';
import type { ServiceClient } from '#adapters/service/rest/rest.ts';
import { checkStrategyLimits } from '#adapters/service/rest/strategy-limits.ts';
import { wireCode } from '#adapters/service/spelling.ts';
import type { AskRemote } from '#core/engine/remote-acts.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import type { Timers } from '#ports/timers.ts';
import { ServiceCache } from './service-cache.ts';

/** What is needed to ask the service about its strategies, and to look what came of it. */
interface AskingParts {
  readonly strategies: Orchestrator;
  readonly timers: Pick<Timers, 'after'>;
}

interface RemoteParts extends AskingParts {
  readonly cache: Pick<ServiceCache, 'product'>;
}

/** An answer, and whether another one follows. */
type Tell = (answer: RemoteAnswer, more: boolean) => void;

/** A 202 shows no effect: it is looked for so often, after so long each. */
const LOOKS_MS = [100, 400, 1000, 2000];
/** Where nobody waits, it is looked for this often from then on. */
const LATER_LOOKS_MS = 5_000;

/**
 * Asks the service, and looks whether the effect can be read back: `tell` hears `asked` first, and then `confirmed` or
 * `unverified`. What breaks the product's limits is told as `failed` without being sent. Never rejects.
 */
export async function carryOut(asked: RemoteAsk, parts: RemoteParts, tell: Tell): Promise<void> {
  const checked = await limitsKept(asked, parts.cache);
  if (typeof checked === 'string') return tell({ status: 'failed', httpStatus: null, response: checked }, false);
  await askAndLook(checked, parts, tell);
}

/** As `carryOut`, for what carries no sizes and no prices. With `until` the effect is looked for until that is aborted. Never rejects. */
export async function askAndLook(asked: RemoteAsk, parts: AskingParts, tell: Tell, until?: AbortSignal): Promise<void> {
  const answer = await parts.strategies.ask(asked);
  if (answer.status !== 'asked' && answer.status !== 'unverified') return tell(answer, false);
  tell(answer, true);
  const doubt = await doubtOf(asked, parts, until);
  if (doubt === null) return tell({ ...answer, status: 'confirmed' }, false);
  const response = answer.response === '' ? doubt.why : `${answer.response}; ${doubt.why}`;
  tell({ ...answer, status: 'unverified', response, ...(doubt.notShown && { notShown: true }) }, false);
}

/** Asks on behalf of the engine; each answer enters by the inbox. */
export function remoteActionsOf(client: ServiceClient, timers: Timers, post: (event: InboxEvent) => void): AskRemote {
  const parts = { strategies: client.strategies, cache: new ServiceCache(client, timers), timers };
  return (actionId, asked) =>
    void carryOut(asked, parts, (answer, more) => post({ kind: 'action', answer: { actionId, ...answer, more } }));
}

/** What is asked, with its product as the service writes it; or why it is not sent. */
async function limitsKept(asked: RemoteAsk, cache: RemoteParts['cache']): Promise<RemoteAsk | string> {
  const fields = asked.action === 'create' ? asked.fields : asked.action === 'modify' ? asked.changes : null;
  const code = asked.action === 'create' ? asked.fields.productCode : asked.action === 'modify' ? asked.productCode : undefined;
  if (fields === null || typeof code !== 'string') return asked;
  try {
    const product = await cache.product(code);
    if (!product) return `the service lists no product ${JSON.stringify(code.slice(0, 64))}; nothing was sent`;
    checkStrategyLimits(fields, product);
    return asked.action === 'create' ? { ...asked, fields: { ...asked.fields, productCode: wireCode(product) } } : asked;
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return error.code === 'REMOTE_INVALID' ? messageOf(error) : `sizes cannot be checked, so nothing was sent: ${messageOf(error)}`;
  }
}

/** Why nobody can say that something is done. */
interface Doubt {
  readonly why: string;
  readonly notShown: boolean;
}

/** Looks for the effect; null once it shows. */
async function doubtOf(asked: RemoteAsk, { strategies, timers }: AskingParts, until?: AbortSignal): Promise<Doubt | null> {
  const { action } = asked;
  // What can never be shown need not be asked for.
  if (action === 'create' || action === 'flush' || action === 'pauseAll' || action === 'resumeAll') {
    return { why: `what a ${action} does cannot be read back`, notShown: false };
  }
  for (const waitMs of until ? patientLooks() : LOOKS_MS) {
    await pause(waitMs, timers, until);
    if (until?.aborted) break;
    const found = await foundOrWhy(strategies, action === 'delete' || action === 'deleteAll');
    if (typeof found === 'string') return { why: found, notShown: false };
    const shown = isShown(asked, found);
    if (shown === true) return null;
    // Words that nobody here knows: more looks would show no more.
    if (shown === null) return { why: 'what the service reads back does not show it', notShown: false };
  }
  return { why: 'the service reads back something else', notShown: true };
}

function* patientLooks(): Generator<number> {
  yield* LOOKS_MS;
  for (;;) yield LATER_LOOKS_MS;
}

function pause(ms: number, timers: AskingParts['timers'], until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      cancel();
      until?.removeEventListener('abort', over);
      resolve();
    };
    const cancel = timers.after(ms, over);
    until?.addEventListener('abort', over);
  });
}

/** What is read back; or why that says nothing. Where something is to be gone, every record must be one that can be read. */
async function foundOrWhy(strategies: Orchestrator, toBeGone: boolean): Promise<readonly RemoteStrategy[] | string> {
  const unread: string[] = [];
  const note = (why: string): void => void unread.push(why);
  try {
    const found = await strategies.find(note);
    if (toBeGone && unread.length > 0) return `it could not be read back: ${unread[0]}`;
    return found ?? 'the service reads nothing back';
  } catch (error) {
    // The request itself was answered; that its effect cannot be read back is what `unverified` says.
    if (error instanceof KairosError) return `it could not be read back: ${messageOf(error)}`;
    throw error;
  }
}
