import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';
import type { WireOrder } from './order-watch.ts';

/** Time within which a person is alerted of an unknown outcome, in milliseconds (I33). */
const ALERT_MS = 5_000;

/** Time within which an answer is journaled once nothing holds the journal, in milliseconds. */
const JOURNALED_MS = 1_500;

/** Number of notices that are remembered. */
const TOLD = 50;

interface OutcomeParts {
  readonly scene: Scene;
  readonly orderOn: (quoteId: string) => WireOrder | undefined;
  readonly isHeld: () => boolean;
  readonly violate: Violate;
}

/** Compares journaled outcomes with what came on the connections (I04), and checks the alerts (I33). */
export class OutcomeWatch {
  private readonly scene: Scene;
  private readonly violate: Violate;
  private readonly orderOn: (quoteId: string) => WireOrder | undefined;
  /** True while another program holds the journal. */
  private readonly isHeld: () => boolean;
  /** Orders whose execution was told and is not journaled yet, with their deadlines. */
  private readonly read = new Map<string, number>();
  private startedAt = 0;
  /** What people were told last. */
  private told: readonly string[] = [];
  private readonly untold = new Map<string, number>();
  /** True while the process ends by an error: people were told of that one, and the next start tells what is unknown. */
  private isFailed = false;
  /** True once the disk took no row: what comes after that is not journaled. */
  private isJournalGone = false;

  constructor({ scene, orderOn, isHeld, violate }: OutcomeParts) {
    this.scene = scene;
    this.orderOn = orderOn;
    this.isHeld = isHeld;
    this.violate = violate;
  }

  committed(decision: Decision): void {
    const { kind, quoteId, orderId } = decision;
    if (quoteId === null || orderId === null) return;
    const order = this.orderOn(quoteId);
    if ((kind === 'accepted' || kind === 'rejected') && !order?.isAnswered) {
      this.violate('I04', `order ${orderId} is journaled as ${kind}, and no answer has come`);
    }
    if (kind === 'expired' && decision.reason === 'GATE_SIGNATURE_AGE')
      this.scene.troubles.struck('F59', 'a signature is too old at the write');
    if ((kind === 'expired' || kind === 'not_sent') && order && decision.detail) {
      this.violate('I06', `order ${orderId} is journaled as ${kind}, and its bytes were written`);
    }
    if (kind === 'accepted' || kind === 'resolved') this.read.delete(quoteId);
    const isTold = this.told.some((text) => text.includes(orderId));
    if (kind === 'unknown' && order && order.at > this.startedAt && !isTold && !this.isFailed)
      this.untold.set(orderId, this.scene.world.now + ALERT_MS);
  }

  /** An answer reports an execution, which must be journaled soon, and before the process ends. */
  executed({ quoteId }: WireOrder): void {
    if (!this.isJournalGone) this.read.set(quoteId, this.scene.machine.felt + JOURNALED_MS);
  }

  /** A person has halted: the journal must have it once that is confirmed (I08, I32). While it is held, `LatchWatch` judges how soon. */
  halted(eye: JournalEye): void {
    if (this.isHeld()) return;
    const [latest] = eye.rows<{ kind: string }>(
      "SELECT kind FROM decisions WHERE kind IN ('halted', 'resumed') AND strategy IS NULL ORDER BY seq DESC LIMIT 1",
    );
    if (latest?.kind !== 'halted') this.violate('I32', 'a person has halted, and the journal does not have it');
  }

  notice(text: string): void {
    // A row that waits for the journal comes behind what was told.
    this.told = [...this.told, text].slice(-TOLD);
    for (const order of this.untold.keys()) if (text.includes(order)) this.untold.delete(order);
  }

  /** It ends by an error; where the disk took no row, nothing could be journaled. */
  failed(error: unknown): void {
    this.isFailed = true;
    this.untold.clear();
    if (error instanceof KairosError && error.code === 'JOURNAL_FAULT') {
      this.isJournalGone = true;
      this.read.clear();
    }
  }

  /** The process has ended; what it read before is journaled, unless it crashed. The next one reports what it finds at its start. */
  ended(how: 'crash' | 'stop' | 'fault'): void {
    const [lost] = how === 'crash' || this.isHeld() ? [] : this.read.keys();
    if (lost !== undefined) this.violate('I04', `the process read the answer to the order on quote ${lost}, ended, and did not journal it`);
    this.startedAt = this.scene.world.now;
    this.isFailed = false;
    this.isJournalGone = false;
    this.untold.clear();
    this.told = [];
    this.read.clear();
  }

  step(): void {
    if (this.untold.size + this.read.size === 0) return;
    const { machine, world } = this.scene;
    for (const [quoteId, until] of this.read) {
      if (machine.isHeldUp || this.isHeld()) this.read.set(quoteId, machine.felt + JOURNALED_MS);
      else if (world.now > until) this.violate('F05', `the answer to the order on quote ${quoteId} is lost`);
    }
    for (const [order, until] of this.untold) {
      if (this.scene.world.now > until && !this.scene.machine.isHeldUp)
        this.violate('I33', `no alert came within 5 s that the outcome of order ${order} is unknown`);
    }
  }
}
