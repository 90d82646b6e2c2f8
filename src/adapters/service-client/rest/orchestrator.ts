import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { jsonIn } from '#domain/json-in.ts';
import type { RemoteAnswer, RemoteAsk, RemoteStrategy } from '#domain/remote.ts';
import type { Orchestrator } from '#ports/orchestrator.ts';
import type { BearerCalls } from './bearer-calls.ts';
import { type Call, type HttpResponse, isAmbiguous, type NoResponse, type Patience } from './http-call.ts';
import { pagesOf } from './list-pages.ts';
import { refusalText } from './refusal-text.ts';
import { createdAnswer, strategyRecord } from './service-records.ts';
import type { StrategyRequests } from './strategy-requests.ts';

const MAX_BODY_CHARS = 65_536;
const MAX_FOREIGN_CHARS = 500;

/** A request without an answer. */
interface OpenRequest {
  readonly asked: RemoteAsk;
  readonly ending: AbortController;
  readonly over: Promise<RemoteAnswer>;
}

/**
 * The service's strategies from the client's side (spec 4.1). A create is sent once and never again (F16); a flush once, since
 * its shares count from the position of the moment; everything else until it is taken, the deadline is over (F17), or a newer request
 * is made that a further try would undo.
 */
export class OrchestratorClient implements Orchestrator {
  private readonly calls: BearerCalls;
  private readonly requests: StrategyRequests;
  private readonly open = new Set<OpenRequest>();

  constructor(calls: BearerCalls, requests: StrategyRequests) {
    this.calls = calls;
    this.requests = requests;
  }

  async ask(asked: RemoteAsk, withinMs?: number): Promise<RemoteAnswer> {
    const older = [...this.open].filter((one) => givesWay(one.asked, asked));
    for (const { ending } of older) ending.abort();
    const ending = new AbortController();
    const over = this.askAfter(older, asked, { ended: ending.signal, withinMs });
    const own = { asked, ending, over };
    this.open.add(own);
    try {
      return await over;
    } finally {
      this.open.delete(own);
    }
  }

  /** A try of an older request that is on its way may arrive late: this one comes after it. */
  private async askAfter(older: readonly OpenRequest[], asked: RemoteAsk, patience: Patience): Promise<RemoteAnswer> {
    await Promise.allSettled(older.map(({ over }) => over));
    const answer = await this.answerTo(asked, patience);
    if (!patience.ended?.aborted || answer.status === 'asked') return answer;
    const said = answer.httpStatus === null || answer.response === '' ? '' : `${answer.response}; `;
    return { ...answer, response: `${said}ended by a newer request` };
  }

  private async answerTo(asked: RemoteAsk, patience: Patience): Promise<RemoteAnswer> {
    const call = this.requests.of(asked);
    try {
      if (asked.action === 'create') return this.created(call, await this.calls.onceApart(call, patience));
      if (asked.action === 'flush') return this.done(call, await this.calls.onceApart(call, patience));
      const { outcome, mayBeTaken } = await this.calls.tryUntilTaken(call, 'needed', patience);
      return this.done(call, outcome, mayBeTaken);
    } catch (error) {
      // No token could be obtained: nothing was asked.
      if (!(error instanceof KairosError)) throw error;
      return { status: 'failed', httpStatus: null, response: messageOf(error) };
    }
  }

  async find(onUnread: (why: string) => void): Promise<readonly RemoteStrategy[] | null> {
    const call = this.requests.find();
    const { origin } = this.calls.calls.address;
    const first = await this.answered(call);
    // The specification has no read-back: a service without it says so, and is gone on with.
    if ([404, 405, 501].includes(first.status)) return null;
    const pages = pagesOf({ origin, path: call.path, what: 'strategies' }, async (path) =>
      this.checked(path === call.path ? first : await this.answered({ ...call, path })),
    );
    const records = [...((await pages.next()).value ?? [])];
    try {
      for await (const more of pages) records.push(...more);
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      onUnread(messageOf(error));
    }
    const found = records.map((record) => strategyRecord.safeParse(record));
    const read = found.flatMap((one) => (one.success ? [one.data] : []));
    // One that cannot be read may be the very one that is looked for: then nobody can say that it is gone.
    const unread = found.length - read.length;
    if (unread > 0)
      onUnread(`${origin} answered ${call.what} with ${unread} of ${found.length} strategies without a strategyId; look at the service`);
    // Pages that move while they are read may bring one twice.
    return [...new Map(read.map((one) => [one.strategyId, one])).values()];
  }

  private async answered(call: Call): Promise<HttpResponse> {
    const { outcome } = await this.calls.tryUntilTaken(call);
    if ('status' in outcome) return outcome;
    throw new KairosError('SERVICE_UNREACHABLE', this.calls.calls.lostText(call, outcome.failure));
  }

  /** A page of the list of strategies; throws SERVICE_REFUSED for any other answer. */
  private checked(answer: HttpResponse): HttpResponse {
    const { status, text } = answer;
    if (status === 200) return answer;
    const { origin } = this.calls.calls.address;
    const mend = status === 401 ? '; give a valid token (KAIROS_TOKEN) or service.username and password' : '';
    throw new KairosError('SERVICE_REFUSED', `${origin} answered the list of strategies with ${status}${refusalText(text)}${mend}`);
  }

  private created(call: Call, outcome: HttpResponse | NoResponse): RemoteAnswer {
    if (!('status' in outcome)) {
      const response = this.calls.calls.lostText(call, outcome.failure);
      return { status: outcome.mayHaveLeft ? 'unknown' : 'failed', httpStatus: null, response };
    }
    const answer = { httpStatus: outcome.status, response: bodyOf(outcome) };
    if (isSuccess(outcome)) {
      return { ...answer, status: createdId(outcome.text) === null ? 'unknown' : 'confirmed' };
    }
    return { ...answer, status: isAmbiguous(outcome.status) ? 'unknown' : 'failed' };
  }

  private done(call: Call, outcome: HttpResponse | NoResponse, mayBeTaken = false): RemoteAnswer {
    if (!('status' in outcome)) {
      const response = this.calls.calls.lostText(call, outcome.failure);
      return { status: outcome.mayHaveLeft || mayBeTaken ? 'unverified' : 'failed', httpStatus: null, response };
    }
    const answer = { httpStatus: outcome.status, response: bodyOf(outcome) };
    if (isTaken(outcome)) return { ...answer, status: 'asked' };
    if (isSuccess(outcome)) {
      // Its number is not that of an answer: nobody is to take it for one.
      const response = `answered ${outcome.status} with a body, where ${call.what} has none: ${printable(answer.response, MAX_FOREIGN_CHARS)}`;
      return { status: 'unverified', httpStatus: null, response };
    }
    // A try that was taken makes the next one wrong: what it deleted is not there, what it stopped cannot be stopped.
    return { ...answer, status: mayBeTaken || isAmbiguous(outcome.status) ? 'unverified' : 'failed' };
  }
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status <= 299;

/** An action is answered 202, without content (spec 4.1): a body beside another 2xx may be the page of a sign-in, or tell of a failure. */
const isTaken = (outcome: HttpResponse): boolean =>
  outcome.status === 202 || (isSuccess(outcome) && outcome.complete && outcome.text.trim() === '');

/** What would undo a newer request, by action. A stop and a delete last, and a pause of all is safe. */
const UNDOES: Readonly<Partial<Record<RemoteAsk['action'], readonly RemoteAsk['action'][]>>> = {
  start: ['pause', 'stop', 'pauseAll'],
  pause: ['start', 'resumeAll'],
  resumeAll: ['pause', 'pauseAll'],
  pauseAll: ['resumeAll'],
};

/** True where a further try of `older` would undo `newer`: of the same strategy, or of all. */
function givesWay(older: RemoteAsk, newer: RemoteAsk): boolean {
  if ('strategyId' in older && 'strategyId' in newer && older.strategyId !== newer.strategyId) return false;
  if (older.action !== 'modify') return UNDOES[older.action]?.includes(newer.action) === true;
  return newer.action === 'modify' && Object.keys(older.changes).every((field) => field in newer.changes);
}

/** The id in the answer of a create (spec 2.2); null where there is none that could be used. */
export function createdId(text: string): string | null {
  const read = createdAnswer.safeParse(jsonIn(text));
  return read.success ? read.data.strategyId : null;
}

function bodyOf({ text, complete }: HttpResponse): string {
  return complete ? text.slice(0, MAX_BODY_CHARS) : 'the body is incomplete';
}
