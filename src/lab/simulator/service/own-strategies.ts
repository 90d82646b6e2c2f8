import type { Answers } from './answers.ts';
import type { HttpConnection } from './http-connection.ts';
import { answerBytes, type WireAnswer, type WireRequest } from './http-text.ts';
import { LOGIN, type Scene } from './scene.ts';

const LOGIN_PATH = '/httpserver/main/v2/auth/login';
const ROOT = '/strategy-orchestrator/strategies/';
/** The state of a strategy after an action. */
const STATES: Readonly<Record<string, string>> = { start: 'ACTIVE', pause: 'PAUSED', stop: 'STOPPED' };

/** True for the request that creates a strategy. */
export const isCreate = ({ method, path }: WireRequest): boolean => method === 'POST' && path === `${ROOT}action/create`;

/** The sign-in of the service, and its own strategies of the user (spec 4.1): what a bearer token is for. */
export class OwnStrategies {
  /** What each is, by its id. */
  readonly states = new Map<string, string>([['resident', 'ACTIVE']]);
  /** Ids that requests have created, in order. */
  readonly created: string[] = [];
  /** When all were paused last, in world time. */
  pausedAllAt = Number.NEGATIVE_INFINITY;
  /** Since when every shown token has been refused; null while none was. */
  refusedSince: number | null = null;
  private readonly scene: Scene;
  private readonly answers: Answers;
  /** When each token expires, in world time. */
  private readonly lapses = new Map<string, number>();

  constructor(scene: Scene, answers: Answers) {
    this.scene = scene;
    this.answers = answers;
  }

  /** Handles a request; false for other requests. */
  receive(request: WireRequest, on: HttpConnection): boolean {
    const { method, path } = request;
    if (method === 'POST' && path === LOGIN_PATH) on.send(answerBytes(this.signIn(request)));
    else if (!path.startsWith(ROOT)) return false;
    else if (!this.isTaken(request))
      on.send(answerBytes(this.answers.refused({ status: 401, code: 'TOKEN', text: 'the token is not valid' })));
    else if (isCreate(request)) this.create(on);
    else this.act(request, on);
    return true;
  }

  /** True for a request that needs no token, or has a valid one. */
  isTaken({ headers, path }: WireRequest): boolean {
    const token = headers.get('authorization');
    if (token === undefined) return !path.startsWith(ROOT);
    const { troubles, world } = this.scene;
    if (troubles.on('F18')) {
      troubles.struck('F18', 'a token is refused');
      this.refusedSince ??= world.now;
      return false;
    }
    return (this.lapses.get(token) ?? Number.NEGATIVE_INFINITY) > world.now;
  }

  private signIn({ body }: WireRequest): WireAnswer {
    const { troubles, draws, world } = this.scene;
    const given: unknown = JSON.parse(body);
    const isRight =
      typeof given === 'object' &&
      given !== null &&
      'username' in given &&
      given.username === LOGIN.username &&
      'password' in given &&
      given.password === LOGIN.password;
    if (troubles.on('F18') || !isRight) {
      if (isRight) troubles.struck('F18', 'a sign-in is refused');
      return this.answers.refused({ status: isRight ? draws.pick([401, 503]) : 401, code: 'LOGIN', text: 'the sign-in is refused' });
    }
    const seconds = draws.whole(400, 3_600);
    const token = `Bearer simulated-${this.lapses.size}`;
    this.refusedSince = null;
    this.lapses.set(token, world.now + seconds * 1000);
    const { status, headers, body: text } = this.answers.json({ expirationTime: seconds, isAppConnected: true });
    return { status, headers: { ...headers, authorization: token }, body: text };
  }

  private create(on: HttpConnection): void {
    const { troubles, history } = this.scene;
    const strike = troubles.strikes('F16', 'a create meets it');
    if (!strike || strike.draws.chance(0.6)) {
      this.created.push(`made-${this.created.length}`);
      this.states.set(this.created.at(-1) ?? '', 'CREATED');
      history.tell(`service: strategy ${this.created.at(-1)} is created`);
    }
    if (!strike) on.send(answerBytes(this.answers.json({ strategyId: this.created.at(-1) })));
    else if (strike.draws.chance(0.3)) on.reset();
    else if (strike.draws.chance(0.5))
      on.send(answerBytes(this.answers.refused({ status: 504, code: 'LATE', text: 'something went wrong' })));
  }

  private act({ method, path }: WireRequest, on: HttpConnection): void {
    if (method === 'POST' && path === `${ROOT}find`) {
      on.send(answerBytes(this.answers.json([...this.states].map(([strategyId, status]) => ({ strategyId, state: { status } })))));
      return;
    }
    const strike = this.scene.troubles.strikes('F17', 'a request about strategies meets it');
    if (!strike || strike.draws.chance(0.5)) this.effect(path);
    if (!strike) on.send(answerBytes({ ...this.answers.json({}), status: 202, body: '' }));
    else if (strike.draws.chance(0.4)) on.reset();
    else if (strike.draws.chance(0.6)) on.send(answerBytes(this.answers.refused({ status: 503, code: 'BUSY', text: 'not now' })));
  }

  private effect(path: string): void {
    const { world, history } = this.scene;
    const [id = '', , action = ''] = path.slice(ROOT.length).split('/');
    history.tell(`service: ${path.slice(ROOT.length)}`);
    if (id === 'pauseAll') this.pausedAllAt = world.now;
    else if (this.states.has(id) && STATES[action] !== undefined) this.states.set(id, STATES[action] ?? '');
  }
}
