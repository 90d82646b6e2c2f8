import type { Decision } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import type { Disk } from '#simulator/daemon/disk.ts';
import type { ActWatch } from '#simulator/daemon/operator.ts';
import type { DaemonProcess } from '#simulator/daemon/process.ts';
import type { LivesWatch, Supervisor } from '#simulator/daemon/supervisor.ts';
import type { FeedWatch } from '#simulator/service/feed-connection.ts';
import type { HttpConnection, HttpWatch } from '#simulator/service/http-connection.ts';
import type { WireRequest } from '#simulator/service/http-text.ts';
import type { NotifierWatch } from '#simulator/service/notifier.ts';
import type { QuoteFrame } from '#simulator/service/quote-frames.ts';
import type { Scene } from '#simulator/service/scene.ts';
import { isOrderPath, type SimulatedService } from '#simulator/service/service.ts';
import { JournalEye } from './journal-eye.ts';

/** An invariant that did not hold. */
export interface Violation {
  /** `I01` to `I35`, or the simulator's own word. */
  readonly invariant: string;
  readonly what: string;
  readonly at: number;
}

/** Sees wire, disk and state from outside, and holds every invariant against what it sees. */
export class Auditor implements FeedWatch, HttpWatch, LivesWatch, ActWatch, NotifierWatch {
  violation: Violation | null = null;
  orders = 0;
  quotes = 0;
  lives = 0;
  private readonly scene: Scene;
  private readonly eye: JournalEye;
  private service: SimulatedService | null = null;
  private supervisor: Supervisor | null = null;

  constructor(scene: Scene, disk: Disk) {
    this.scene = scene;
    this.eye = new JournalEye(disk.journal);
  }

  meet(service: SimulatedService, supervisor: Supervisor): void {
    this.service = service;
    this.supervisor = supervisor;
  }

  /** The first violation stands. */
  violate(invariant: string, what: string): void {
    this.violation ??= { invariant, what, at: this.scene.world.now };
  }

  quoteOf(order: string): string | undefined {
    return this.eye.quoteOf(order);
  }

  step(): void {}

  judgeCalm(): void {}

  async judgeEnd(): Promise<void> {}

  close(): void {
    this.eye.close();
  }

  delivered(_frame: QuoteFrame, _connection: number): void {
    this.quotes += 1;
  }

  subscribed(_connection: number, _query: string, _acked: boolean): void {}

  closed(_connection: number): void {}

  wrote(request: WireRequest, _connection: HttpConnection): void {
    if (!isOrderPath(request.path)) return;
    this.orders += 1;
  }

  notice(level: string, text: string): void {
    this.scene.history.tell(`daemon ${level}: ${text}`);
  }

  committed(_decisions: readonly Decision[]): void {}

  opening(_url: string): void {}

  starting(): void {
    this.lives += 1;
  }

  started(_process: DaemonProcess): void {}

  ended(_how: 'crash' | 'stop' | 'fault'): void {
    this.eye.close();
  }

  refused(error: unknown): void {
    this.violate('start', `the daemon does not start: ${messageOf(error)}`);
  }

  halted(_how: string): void {}

  resumed(): void {}

  answered(_transferId: string, _status: number, _isGenuine: boolean): void {}
}
