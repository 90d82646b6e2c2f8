import type { QuoteSocket, SocketEvents } from '#adapters/service-client/quotes/quote-socket.ts';
import { productIn } from '#paper-venue/dialect/codes.ts';
import type { Cancel } from '#ports/timers.ts';
import { PRODUCTS } from './products.ts';
import type { LaneSubscription, QuoteFrame, QuoteFrames } from './quote-frames.ts';
import type { Scene } from './scene.ts';

/** Receives the events of a feed connection. */
export interface FeedWatch {
  /** A quote has reached the machine. */
  delivered(frame: QuoteFrame, connection: number): void;
  subscribed(connection: number, query: string, acked: boolean): void;
  closed(connection: number): void;
}

interface ConnectionParts {
  readonly number: number;
  readonly events: SocketEvents;
  readonly frames: QuoteFrames;
  readonly watch: FeedWatch;
  readonly isMachineAlive: () => boolean;
  readonly onClosed: () => void;
}

const CLOSINGS = ['closed with 1000', 'closed with 1001 going away', 'closed with 1006', 'closed with 1012 restart'];
const UNKNOWN_FRAMES = [
  '{"msgType":"NEWS","text":"hello"}',
  '{"msgType":"TQ"}',
  '{}',
  '[]',
  'null',
  '{"msgType":"BQ","productCode":"btcusd"',
];
/** Number of good quotes after which a wrong price can be recognized. */
const KNOWN_AFTER = 20;

/** One feed connection from both sides: the service's, with all network faults, and the machine's socket. */
export class SimulatedConnection implements QuoteSocket {
  private readonly scene: Scene;
  private readonly parts: ConnectionParts;
  private isOpen = false;
  private isOver = false;
  private subscribed: LaneSubscription | null = null;
  private former: LaneSubscription | null = null;
  private sent = 0;
  private lastDue = 0;
  private clogged: (() => void)[] | null = null;
  private cancelTick: Cancel = () => {};

  constructor(scene: Scene, parts: ConnectionParts) {
    this.scene = scene;
    this.parts = parts;
    scene.world.after(this.latency(), () => this.begin());
  }

  send(text: string): void {
    this.scene.history.note(`feed ${this.parts.number} < ${text}`);
    this.toService(() => this.request(text));
  }

  ping(): void {
    this.toService(() => this.toMachine(() => this.parts.events.alive()));
  }

  destroy(): void {
    this.finish();
  }

  /** The service ends it. */
  closeBy(why: string, violation = false): void {
    if (this.isOver) return;
    this.toMachine(() => {
      this.finish();
      this.parts.events.ended(why, violation);
    });
  }

  closeAtRandom(): void {
    this.closeBy(this.scene.draws.pick(CLOSINGS));
  }

  /** Holds everything back for a time, then delivers it at once with `more` quotes. */
  clog(ms: number, more = 0): void {
    if (this.clogged !== null || this.isOver) return;
    const held: (() => void)[] = [];
    this.clogged = held;
    this.scene.world.after(ms, () => {
      this.clogged = null;
      if (this.subscribed && !this.isOver) for (let count = 0; count < more; count += 1) this.emitQuotes(held);
      this.scene.machine.receive(() => {
        for (const deliver of held) deliver();
      });
    });
  }

  private begin(): void {
    const { troubles, draws } = this.scene;
    if (this.isOver) return;
    if (troubles.on('F24')) {
      troubles.struck('F24');
      this.closeBy(`Unexpected server response: ${draws.pick([403, 429, 503])}`);
      return;
    }
    if (troubles.on('F63')) {
      troubles.struck('F63');
      this.closeBy('connect EMFILE');
      return;
    }
    const still = troubles.on('F22');
    if (still) {
      this.scene.world.at(still.trouble.to, () => this.begin());
      return;
    }
    this.toMachine(() => {
      this.isOpen = true;
      this.parts.events.opened();
    });
  }

  private request(text: string): void {
    const { troubles, world } = this.scene;
    const wanted = subscriptionIn(text);
    if (!wanted || troubles.strikes('F28', 'the feed refuses a good subscription')) {
      this.sendText('{"msgType":"ERR","errorMsg":"the subscription is refused"}');
      return;
    }
    this.former = this.subscribed;
    this.subscribed = wanted;
    const silent = troubles.strikes('F26', 'no ACK comes');
    const other = !silent && troubles.strikes('F27', 'the ACK echoes something else');
    this.parts.watch.subscribed(this.parts.number, text, !silent && !other);
    if (!silent) this.sendText(this.ack(other ? { ...wanted, amount: { size: 77 } } : wanted));
    if (this.former && troubles.strikes('F29', 'a quote of the former size comes after the ACK')) this.emit(this.former);
    if (troubles.on('F25')) {
      troubles.struck('F25');
      world.after(300, () => this.closeBy('closed with 1006'));
    }
    this.cancelTick();
    this.tickAfter(this.latency());
  }

  private tickAfter(ms: number): void {
    this.cancelTick = this.scene.world.after(ms, () => this.tick());
  }

  private tick(): void {
    if (this.isOver || !this.subscribed) return;
    const { troubles } = this.scene;
    const slow = troubles.on('F36');
    if (slow) troubles.struck('F36');
    this.tickAfter(slow ? 30_000 : this.untilNext());
    if (troubles.on('F37') && this.clogged === null && this.scene.draws.chance(0.3)) {
      troubles.struck('F37');
      this.clog(this.scene.draws.between(1_000, 6_000));
    }
    this.emitQuotes(null);
    if (troubles.strikes('F35', 'a frame of an unknown kind')) this.sendText(this.scene.draws.pick(UNKNOWN_FRAMES));
    if (troubles.strikes('F34', 'a frame that breaks the protocol')) this.closeBy('the service sent a binary frame', true);
  }

  /** Where sockets are read together, quotes of all connections are made at the same instants. */
  private untilNext(): number {
    const { world, plan } = this.scene;
    return (plan.turnMs ?? 0) < 60 ? plan.cadenceMs : plan.cadenceMs - (world.now % plan.cadenceMs);
  }

  /** Makes the present quotes and sends them, or holds them back. */
  private emitQuotes(held: (() => void)[] | null): void {
    if (this.subscribed) this.emit(this.subscribed, held);
  }

  private emit(subscribed: LaneSubscription, held: (() => void)[] | null = null): void {
    const { number, frames } = this.parts;
    const { troubles } = this.scene;
    const made = frames.next(subscribed, number, this.sent >= KNOWN_AFTER);
    this.sent += made.length;
    for (const frame of made) {
      if (held) held.push(() => this.deliver(frame));
      else this.toMachine(() => this.deliver(frame));
      if (!held && troubles.draw('F30')) {
        troubles.struck('F30', 'a quote comes twice');
        this.scene.world.after(this.scene.draws.between(0, 900), () => this.scene.machine.receive(() => this.deliver(frame)));
      }
    }
  }

  private deliver(frame: QuoteFrame): void {
    if (this.isOver || !this.isOpen || !this.parts.isMachineAlive()) return;
    this.scene.history.note(`feed ${this.parts.number} > ${frame.text}`);
    if (frame.quote) frame.quote.deliveredAt ??= this.scene.world.now;
    this.parts.watch.delivered(frame, this.parts.number);
    this.parts.events.text(frame.text);
  }

  private sendText(text: string): void {
    this.toMachine(() => {
      this.scene.history.note(`feed ${this.parts.number} > ${text}`);
      this.parts.events.text(text);
    });
  }

  private ack({ product, amount }: LaneSubscription): string {
    const { dialect } = this.scene;
    const { acks } = dialect;
    const written = (given: number | null) =>
      given === null ? (acks === 'ack-zero' ? 0 : null) : acks === 'ack-texts' ? String(given) : given;
    const query = {
      quoteType: amount === null ? 'FULL' : 'TRADING',
      productCode: productIn(dialect, product.code),
      inputSize: written(amount && 'size' in amount ? amount.size : null),
      inputValue: written(amount && 'value' in amount ? amount.value : null),
    };
    return JSON.stringify({ msgType: 'ACK', ...(acks !== 'ack-without-user' && { userId: 1205 }), query });
  }

  private toService(run: () => void): void {
    if (this.isSilent()) return;
    this.scene.world.after(this.latency(), () => {
      if (!this.isOver) run();
    });
  }

  /** Delivers to the machine in order. */
  private toMachine(run: () => void): void {
    if (this.isSilent()) return;
    const work = (): void => {
      if (!this.isOver && this.parts.isMachineAlive()) run();
    };
    if (this.clogged) {
      this.clogged.push(work);
      return;
    }
    const { world, machine } = this.scene;
    this.lastDue = Math.max(this.lastDue, world.now + this.latency());
    world.at(this.lastDue, () => (this.clogged ? this.clogged.push(work) : machine.receive(work)));
  }

  private isSilent(): boolean {
    const { troubles } = this.scene;
    if (!troubles.on('F21')) return false;
    troubles.struck('F21');
    return true;
  }

  private latency(): number {
    const { plan, draws } = this.scene;
    return draws.between(...plan.latencyMs);
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelTick();
    this.parts.onClosed();
    this.parts.watch.closed(this.parts.number);
  }
}

function subscriptionIn(text: string): LaneSubscription | undefined {
  const { quoteType, productCode, inputSize, inputValue } = JSON.parse(text);
  const product = PRODUCTS.find(({ code }) => code === String(productCode).toLowerCase());
  if (product && quoteType === 'FULL' && inputSize == null && inputValue == null) return { product, amount: null, text };
  if (quoteType !== 'TRADING' || !product) return undefined;
  if (inputSize != null && inputValue == null) return { product, amount: { size: Number(inputSize) }, text };
  return inputValue != null && inputSize == null ? { product, amount: { value: Number(inputValue) }, text } : undefined;
}
