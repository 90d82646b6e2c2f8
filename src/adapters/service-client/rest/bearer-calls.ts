import type { Call, CallResult, HttpCalls, HttpResponse, NoResponse, Patience } from './http-call.ts';
import type { Session } from './session.ts';

/** Calls that carry the bearer token where there is one (spec 5.2). Rejects with a KairosError where none can be had. */
export class BearerCalls {
  readonly calls: HttpCalls;
  readonly session: Session;

  constructor(calls: HttpCalls, session: Session) {
    this.calls = calls;
    this.session = session;
  }

  /**
   * For what may be asked twice; a first 401 renews a token that can be renewed. `optional`: a token is sent where one is at
   * hand, and had only where the service wants one (spec 5.3).
   */
  async tryUntilTaken(call: Call, want: 'needed' | 'optional' = 'needed', patience: Patience = {}): Promise<CallResult> {
    const token = want === 'needed' ? await this.session.current(patience) : this.session.atHand;
    const tried = without(token, await this.calls.tryUntilTaken(withToken(call, token), patience));
    if (!this.heard(tried.outcome, token) || !this.session.canRenew) return tried;
    const renewed = await this.session.current(patience);
    const again = without(renewed, await this.calls.tryUntilTaken(withToken(call, renewed), patience));
    this.heard(again.outcome, renewed);
    return { ...again, mayBeTaken: tried.mayBeTaken || again.mayBeTaken };
  }

  /** For what must never be asked twice: a 401 is the answer, and the next call gets another token. */
  async onceApart(call: Call, patience: Patience = {}): Promise<HttpResponse | NoResponse> {
    const token = await this.session.current(patience);
    const { outcome } = without(token, { outcome: await this.calls.onceApart(withToken(call, token)) });
    this.heard(outcome, token);
    return outcome;
  }

  /** Notes what an answer says of the token; true where it was refused. */
  private heard(outcome: HttpResponse | NoResponse, token: string | null): boolean {
    if (!('status' in outcome) || token === null) return 'status' in outcome && outcome.status === 401;
    if (outcome.status === 401) this.session.refused(token);
    else if (outcome.status < 400) this.session.taken(token);
    return outcome.status === 401;
  }
}

/** No token is shorter; what is may stand in any text. */
const SHORT = 8;

/** A service may repeat the token that it was sent: no terminal and no journal is to have it. */
function without<Result extends Pick<CallResult, 'outcome'>>(token: string | null, result: Result): Result {
  const { outcome } = result;
  if (token === null || token.length < SHORT || !('status' in outcome)) return result;
  return { ...result, outcome: { ...outcome, text: outcome.text.replaceAll(token, '[set]') } };
}

function withToken(call: Call, token: string | null): Call {
  return token === null ? call : { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } };
}
