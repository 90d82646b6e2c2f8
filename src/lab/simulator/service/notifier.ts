import { createHmac } from 'node:crypto';
import type { NotificationPost } from '#lab/simulator/daemon/beside.ts';
import { notifiedIn } from '#paper-venue/dialect/codes.ts';
import type { ServiceBooks } from './books.ts';
import { type Scene, USER } from './scene.ts';

/** Receives the answers to notifications. */
export interface NotifierWatch {
  /** The daemon has answered a notification of this transfer with this status. */
  answered(transferId: string, status: number, isGenuine: boolean): void;
}

interface NotifierOptions {
  readonly scene: Scene;
  readonly books: ServiceBooks;
  readonly watch: NotifierWatch;
  /** The partner's route; null while nobody listens. */
  readonly door: () => ((delivery: NotificationPost) => Promise<number>) | null;
}

/** The first wait before a retry, by which each further one is longer, in milliseconds (spec 8). */
const RETRY_MS = 60_000;
const MAX_ATTEMPTS = 100;
const CURRENCIES = ['usd', 'btc', 'eth'] as const;

/** Deposits at the service and their notifications (spec 6.1), with faults. */
export class DepositNotifier {
  private readonly options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.options = options;
    const { world, plan, draws, troubles } = options.scene;
    if (plan.depositsEveryMs > 0) {
      const again = (): void => {
        this.deposit();
        world.after(plan.depositsEveryMs * draws.between(0.5, 1.5), again);
      };
      world.after(plan.depositsEveryMs * draws.next(), again);
    }
    for (const { trouble } of troubles.all('F44')) world.at(trouble.from, () => this.forge());
  }

  private deposit(): void {
    const { scene, books } = this.options;
    const transferId = scene.draws.uuid();
    const currency = scene.draws.pick(CURRENCIES);
    const amount = String(scene.draws.whole(1, 500) / (currency === 'usd' ? 1 : 1000));
    books.deposit(transferId, currency, amount);
    scene.history.tell(`service: ${amount} ${currency} come in, transfer ${transferId.slice(0, 8)}`);
    const body = JSON.stringify({
      notificationType: 'DEPOSIT_CONFIRMED',
      svcUserId: USER.id,
      transferId,
      source: 'somewhere',
      currency: notifiedIn(scene.dialect, currency),
      amount,
    });
    this.attempt(transferId, scene.dialect.brand === 'brand-acme' ? body.replace('svcUserId', 'acmeUserId') : body, 1);
  }

  private attempt(transferId: string, body: string, count: number): void {
    const { scene } = this.options;
    const { troubles, world } = scene;
    const retry = (): void => {
      if (count < MAX_ATTEMPTS) world.after(RETRY_MS * count, () => this.attempt(transferId, body, count + 1));
    };
    if (troubles.on('F40')) {
      troubles.struck('F40', 'a notification reaches nobody');
      retry();
      return;
    }
    const late = troubles.strikes('F39', 'a notification is signed too long ago, or ahead');
    const shiftMs = late ? (late.draws.chance(0.5) ? -1 : 1) * late.draws.between(17_000, 60_000) : 0;
    const often = troubles.strikes('F38', 'a notification is delivered many times');
    const copies = often ? often.draws.whole(3, 12) : 1;
    let isDone = false;
    for (let copy = 0; copy < copies; copy += 1) {
      this.send(this.signed(body, shiftMs), (status) => {
        if (status !== 0) this.options.watch.answered(transferId, status, true);
        if (status >= 200 && status < 300) {
          if (!isDone) this.contradict(transferId, body);
          isDone = true;
        } else if (copy === copies - 1 && !isDone) retry();
      });
    }
  }

  /** Tells a transfer again, once it is known, with another amount. */
  private contradict(transferId: string, body: string): void {
    const { scene, watch } = this.options;
    const strike = scene.troubles.strikes('F38b', `transfer ${transferId.slice(0, 8)} is reported again with another amount`);
    if (!strike) return;
    const other = JSON.stringify({ ...JSON.parse(body), amount: String(strike.draws.whole(501, 900)) });
    scene.world.after(strike.draws.between(0, RETRY_MS), () =>
      this.send(this.signed(other, 0), (status) => status !== 0 && watch.answered(transferId, status, true)),
    );
  }

  /** Sends a forged or tampered notification. */
  private forge(): void {
    const { scene, watch } = this.options;
    scene.troubles.struck('F44', 'somebody forges a notification');
    const transferId = scene.draws.uuid();
    const body = JSON.stringify({
      notificationType: 'DEPOSIT_CONFIRMED',
      svcUserId: USER.id,
      transferId,
      source: 'x',
      currency: 'usd',
      amount: '1000000',
    });
    const genuine = this.signed(body, 0);
    const forged = scene.draws.pick([
      { ...genuine, headers: { ...genuine.headers, 'x-webhook-signature': Buffer.alloc(32, 7).toString('base64') } },
      { ...this.signed(body.replace('1000000', '1'), 0), body },
      { ...genuine, headers: { 'x-webhook-timestamp': genuine.headers['x-webhook-timestamp'] ?? '' } },
    ]);
    this.send(forged, (status) => watch.answered(transferId, status, false));
  }

  private signed(body: string, shiftMs: number): NotificationPost {
    const stamp = String(Math.floor(this.options.scene.time.now + shiftMs));
    const signature = createHmac('sha256', Buffer.from(USER.secret, 'base64')).update(`${stamp}${body}`).digest('base64');
    return { headers: { 'x-webhook-timestamp': stamp, 'x-webhook-signature': signature }, body };
  }

  /** Delivers one request; the status is 0 without an answer. */
  private send(delivery: NotificationPost, done: (status: number) => void): void {
    const { scene, door } = this.options;
    const { world, machine, plan, draws } = scene;
    world.after(draws.between(...plan.latencyMs), () => {
      machine.receive(() => {
        const open = door();
        if (!open) {
          done(0);
          return;
        }
        let isAnswered = false;
        const answer = (status: number): void => {
          if (isAnswered) return;
          isAnswered = true;
          scene.history.tell(`a notification is answered ${status === 0 ? 'by nobody' : status}`);
          done(status);
        };
        open(delivery).then(answer, () => answer(0));
        // The service does not wait for ever.
        world.after(10_000, () => answer(0));
      });
    });
  }
}
