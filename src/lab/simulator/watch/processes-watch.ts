import { KairosError, messageOf } from '#domain/errors.ts';
import type { DaemonProcess } from '#lab/simulator/daemon/process.ts';
import type { Supervisor } from '#lab/simulator/daemon/supervisor.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';

/** Time within which a process ends after an uncaught error, in milliseconds. */
const ENDED_MS = 60_000;
/** How long a process may exceed the memory bound, in milliseconds. */
const FULL_MS = 20_000;

/** Errors that the simulator throws into the daemon. */
const DRAWN = /was drawn to throw|thrown by a timer of nobody/;

/** Checks how processes start, use shared resources, and end (I09, I27, I28, I34, F70). */
export class ProcessesWatch {
  private readonly scene: Scene;
  private readonly supervisor: () => Supervisor | null;
  private readonly violate: Violate;
  /** The last armed configuration and code. */
  private armedAs: string | null = null;

  constructor(scene: Scene, supervisor: () => Supervisor | null, violate: Violate) {
    this.scene = scene;
    this.supervisor = supervisor;
    this.violate = violate;
  }

  step(): void {
    const { machine } = this.scene;
    const running = this.supervisor()?.running;
    if (running && !machine.isHeldUp && running.beside.memory.fullMs > FULL_MS)
      this.violate('F70', 'memory is far over its bound, and neither was a strategy disabled nor did the process leave');
  }

  armed(): void {
    this.armedAs = this.releaseNow;
  }

  started(): void {
    const trading = this.supervisor()?.running?.daemon?.inspect().trading;
    const isManual = this.scene.plan.settings.includes('trading.arm=manual');
    if (isManual && this.armedAs !== null && this.armedAs !== this.releaseNow && (trading === 'ACTIVE' || trading === 'REDUCING'))
      this.violate('I09', `trading is ${trading} with a configuration or code that nobody has armed`);
  }

  unnoticed(ms: number): void {
    this.violate('I34', `the loop stood still for ${Math.round(ms)} ms, and nobody noticed`);
  }

  leftOver(timers: number, connections: number): void {
    if (timers + connections > 0)
      this.violate('I27', `a process has ended in good order and left ${timers} timers and ${connections} connections`);
  }

  threw(process: DaemonProcess): void {
    const { world, machine } = this.scene;
    world.after(ENDED_MS, () => {
      if (!process.isOver && !machine.isHeldUp)
        this.violate('I28', `${ENDED_MS / 1000} s after an error that nobody caught the process still runs`);
    });
  }

  failed(error: unknown): void {
    if (!(error instanceof KairosError) && !DRAWN.test(messageOf(error)))
      this.violate('I28', `the daemon ends by an error of its own: ${error instanceof Error ? error.stack : messageOf(error)}`);
    if (error instanceof KairosError && error.code === 'JOURNAL_BUSY')
      this.violate('F49', `the daemon ends because another program held its journal for a moment: ${messageOf(error)}`);
  }

  refused(error: unknown): void {
    const { troubles } = this.scene;
    const code = error instanceof KairosError ? error.code : '';
    // A start is refused by design while products differ, the disk takes no row or another program locks the journal; the next comes soon.
    if (/^(CONFIG_INVALID|PRODUCT_UNKNOWN)$/.test(code) && troubles.on('F19')) return;
    if (code === 'JOURNAL_FAULT' && this.supervisor()?.current?.journal?.hasFailed) return;
    if (code === 'JOURNAL_BUSY' && (troubles.on('F41') || troubles.on('F41b'))) return;
    this.violate('start', `the daemon does not start: ${messageOf(error)}`);
  }

  private get releaseNow(): string {
    return `${this.supervisor()?.config.hash} ${this.supervisor()?.code}`;
  }
}
