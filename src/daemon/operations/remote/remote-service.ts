import { isShown } from '#adapters/service-client/rest/read-back.ts';
import type { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { checkStrategyLimits } from '#adapters/service-client/rest/strategy-limits.ts';
import { wireCode } from '#adapters/service-client/spelling.ts';
import type { AskRemote } from '#core/engine/remote-acts.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { ServiceCache } from './service-cache.ts';

/** The parts for requests to the service's strategies and for reading back their effects. */
interface AskingParts {
  readonly strategies: Orchestrator;
  readonly timers: Pick<Timers, 'after'>;
}

interface RemoteParts extends AskingParts {
  readonly cache: Pick<ServiceCache, 'product'>;
}

/** An answer, and whether another one follows. */
type Tell = (answer: RemoteAnswer, more: boolean) => void;

/** Pauses before each check for the effect of a 202, in milliseconds. */
const LOOKS_MS = [100, 400, 1000, 2000];
/** Interval of later checks if nobody waits, in milliseconds. */
const LATER_LOOKS_MS = 5_000;

/**
 * Sends a request and checks whether its effect can be read back: `tell` receives `asked` first, then `confirmed` or
 * `unverified`. A request that breaks the product's limits is `failed` and not sent. Never rejects.
 */
export async function carryOut(asked: RemoteAsk, parts: RemoteParts, tell: Tell): Promise<void> {
  const checked = await limitsKept(asked, parts.cache);
  if (typeof checked === 'string') return tell({ status: 'failed', httpStatus: null, response: checked }, false);
  await askAndLook(checked, parts, tell);
}

/** A deadline so many milliseconds from now, which the signal tells. */
interface Deadline {
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** As `carryOut`, for requests without sizes and prices. With a deadline the effect is checked until then. Never rejects. */
export async function askAndLook(asked: RemoteAsk, parts: AskingParts, tell: Tell, deadline?: Deadline): Promise<void> {
  const answer = await parts.strategies.ask(asked, deadline?.withinMs);
  if (answer.status !== 'asked' && answer.status !== 'unverified') return tell(answer, false);
  tell(answer, true);
  const doubt = await doubtOf(asked, parts, deadline?.signal);
  if (doubt === null) return tell({ ...answer, status: 'confirmed' }, false);
  const response = answer.response === '' ? doubt.why : `${answer.response}; ${doubt.why}`;
  tell({ ...answer, status: 'unverified', response, ...(doubt.notShown && { notShown: true }) }, false);
}

/** Sends requests of the engine; each answer enters by the inbox. */
export function remoteActionsOf(client: ServiceClient, timers: Timers, post: (event: InboxEvent) => void): AskRemote {
  const parts = { strategies: client.strategies, cache: new ServiceCache(client, timers), timers };
  return (actionId, asked) =>
    void carryOut(asked, parts, (answer, more) => post({ kind: 'action', answer: { actionId, ...answer, more } }));
}

/** The request with its product in the service's spelling, or why it is not sent. */
async function limitsKept(asked: RemoteAsk, cache: RemoteParts['cache']): Promise<RemoteAsk | string> {
  const fields = asked.action === 'create' ? asked.fields : asked.action === 'modify' ? asked.changes : null;
  const code = asked.action === 'create' ? asked.fields.productCode : asked.action === 'modify' ? asked.productCode : undefined;
  if (asked.action === 'modify' && code === undefined) return 'its product is not known, so nothing was sent: say it with --product';
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

/** Why an effect is not certain. */
interface Doubt {
  readonly why: string;
  readonly notShown: boolean;
}

/** Checks for the effect; null once it shows. */
async function doubtOf(asked: RemoteAsk, { strategies, timers }: AskingParts, until?: AbortSignal): Promise<Doubt | null> {
  const { action } = asked;
  // The list cannot show these effects.
  if (action === 'create' || action === 'flush' || action === 'pauseAll' || action === 'resumeAll') {
    return { why: `what a ${action} does cannot be read back`, notShown: false };
  }
  for (const waitMs of until ? patientLooks() : LOOKS_MS) {
    await pause(timers, waitMs, until);
    if (until?.aborted) break;
    const found = await foundOrWhy(strategies, action === 'delete' || action === 'deleteAll');
    if (found === null) return { why: 'the service reads nothing back', notShown: false };
    if (typeof found === 'string') {
      // Whoever has time looks again: a look that fails shows nothing.
      if (until) continue;
      return { why: found, notShown: false };
    }
    const shown = isShown(asked, found);
    if (shown === true) return null;
    // An unknown state: further checks would not help.
    if (shown === null) return { why: 'what the service reads back does not show it', notShown: false };
  }
  return { why: 'the service reads back something else', notShown: true };
}

function* patientLooks(): Generator<number> {
  yield* LOOKS_MS;
  for (;;) yield LATER_LOOKS_MS;
}

/** The listed strategies, null where the service lists none, or why they prove nothing. To prove that one is gone, every record must be readable. */
async function foundOrWhy(strategies: Orchestrator, toBeGone: boolean): Promise<readonly RemoteStrategy[] | string | null> {
  const unread: string[] = [];
  const note = (why: string): void => void unread.push(why);
  try {
    const found = await strategies.find(note);
    if (toBeGone && unread.length > 0) return `it could not be read back: ${unread[0]}`;
    return found;
  } catch (error) {
    // The request itself was answered; its effect is `unverified`.
    if (error instanceof KairosError) return `it could not be read back: ${messageOf(error)}`;
    throw error;
  }
}
