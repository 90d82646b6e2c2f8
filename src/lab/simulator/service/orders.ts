import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { Strike } from '#lab/simulator/plan/troubles.ts';
import type { Answers } from './answers.ts';
import { AS_QUOTED, type ServiceFill, type Terms } from './books.ts';
import type { HttpConnection } from './http-connection.ts';
import { answerBytes, type WireAnswer, type WireRequest } from './http-text.ts';
import type { OrderJudge, ReadOrder } from './order-judge.ts';
import type { Scene } from './scene.ts';
import { drawTerms } from './terms.ts';

/** A fault of service or network on one order. */
type Misdeed = (order: ReadOrder, on: HttpConnection, strike: Strike) => void;

const STRANGE_BODIES = ['', '<!doctype html><p>OK', '{"orderId":"1","pri', '{"hello":"world"}', '{"status":"PENDING"}', 'null'];

/** Handles orders: judges each, executes it once, and answers it, with faults. */
export class ServiceOrders {
  private readonly scene: Scene;
  private readonly judge: OrderJudge;
  private readonly answers: Answers;

  private readonly misdeeds: Readonly<Partial<Record<SimulatedFault, Misdeed>>> = {
    F03: (order, on, { draws }) => {
      if (draws.chance(0.5)) this.execute(order);
      on.reset();
    },
    F05: (order, on, { draws }) => this.answer(order, on, draws.between(3_100, 28_000)),
    F06: (order, on, { draws }) => {
      // What no answer tells is taken to be as quoted.
      const done = this.execute(order, AS_QUOTED);
      const answer = this.answerTo(done);
      const body = draws.pick(STRANGE_BODIES);
      on.send(answerBytes('status' in done ? answer : { ...answer, status: 201, body }));
    },
    F07: (_order, on) => this.refuse(on, 401, 'TIMESTAMP', 'the timestamp is not near'),
    F08: (_order, on, { draws }) =>
      draws.chance(0.5)
        ? this.refuse(on, 403, 'USER', 'the user is not registered')
        : this.refuse(on, 400, 'USER_ID', 'X-API-User-ID is incorrect'),
    F09: (order, on, { draws }) => {
      const status = draws.pick([404, 409, 415, 422, 429]);
      if (status === 409 && draws.chance(0.5)) this.execute(order);
      this.refuse(on, status, 'REFUSED', 'the order is refused', status === 429 ? { 'retry-after': String(draws.whole(1, 12) ** 2) } : {});
    },
    F10: (order, on, { draws }) => {
      if (draws.chance(0.5)) this.execute(order);
      this.refuse(on, draws.pick([500, 502, 503, 504]), 'INTERNAL', 'something went wrong');
    },
    F11: (order, on, { draws }) => {
      if (draws.chance(0.3)) this.execute(order);
      this.refuse(on, draws.pick([301, 302, 307, 308]), 'MOVED', 'elsewhere', { location: '/elsewhere' });
    },
    F12: (order, on, { draws }) => {
      const { status, body } = this.answerTo(this.execute(order));
      const head = draws.chance(0.5)
        ? `HTTP/1.1 ${status} Simulated\r\nx-slow: `
        : `HTTP/1.1 ${status} Simulated\r\ncontent-length: 9999\r\n\r\n${body}`;
      on.send(Buffer.from(head));
    },
    F13: (order, on, { draws }) => {
      const answer = answerBytes(this.answerTo(this.execute(order)));
      const second = draws.chance(0.5) ? answer : Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n');
      on.send(Buffer.concat([answer, second]));
    },
    F15: (order, on, { draws }) => {
      this.scene.world.after(draws.between(0.5, 1.5) * this.scene.plan.validityMs, () => this.answer(order, on));
    },
  };

  constructor(scene: Scene, judge: OrderJudge, answers: Answers) {
    this.scene = scene;
    this.judge = judge;
    this.answers = answers;
  }

  /** Handles an incoming order. */
  receive(request: WireRequest, on: HttpConnection): void {
    const { time, world, draws, plan } = this.scene;
    const order = this.judge.read(request, time.now);
    if ('status' in order) {
      on.send(answerBytes(this.answers.refused(order)));
      return;
    }
    if (this.misbehaves(order, on)) return;
    world.after(draws.between(...plan.answerMs), () => this.answer(order, on));
  }

  private misbehaves(order: ReadOrder, on: HttpConnection): boolean {
    const { troubles } = this.scene;
    for (const [name, misdeed] of Object.entries(this.misdeeds)) {
      const fault = FAULTS_OF_ORDERS.find((one) => one === name);
      const strike = fault && troubles.strikes(fault, `an order on quote ${order.quoteId.slice(0, 8)} meets it`);
      if (!strike) continue;
      misdeed(order, on, strike);
      return true;
    }
    return false;
  }

  private execute(order: ReadOrder, terms = this.terms()): ReturnType<OrderJudge['execute']> {
    const done = this.judge.execute(order, this.scene.time.now, terms);
    this.scene.history.tell(
      `service: ${order.side} on quote ${order.quoteId.slice(0, 8)} ${'status' in done ? `is refused: ${done.text}` : `is executed, ${done.size} at ${done.price}`}`,
    );
    return done;
  }

  /** Executes an order and answers it so long after. */
  private answer(order: ReadOrder, on: HttpConnection, lateMs = 0): void {
    const done = this.execute(order);
    const answer = answerBytes(this.answerTo(done));
    const isClear = isExecuted(done) && this.scene.dialect.answerStatus !== 'answer-202-open';
    this.scene.world.after(lateMs, () => on.send(answer, isClear));
  }

  private terms(): Terms {
    const { troubles, dialect } = this.scene;
    const strike = troubles.draw('F06b');
    const terms = strike && drawTerms(dialect, strike.draws);
    if (terms) troubles.struck('F06b', `executed ${terms.share} of it, ${terms.betterBy} steps better, for ${terms.feePct} % of the fee`);
    return terms ?? AS_QUOTED;
  }

  private answerTo(done: ReturnType<OrderJudge['execute']>): WireAnswer {
    return isExecuted(done) ? this.answers.executed(done) : this.answers.refused(done);
  }

  private refuse(on: HttpConnection, status: number, code: string, text: string, headers: Readonly<Record<string, string>> = {}): void {
    on.send(answerBytes(this.answers.refused({ status, code, text }, headers)));
  }
}

const FAULTS_OF_ORDERS: readonly SimulatedFault[] = ['F03', 'F05', 'F06', 'F07', 'F08', 'F09', 'F10', 'F11', 'F12', 'F13', 'F15'];

function isExecuted(done: ReturnType<OrderJudge['execute']>): done is ServiceFill {
  return 'quoteId' in done;
}
