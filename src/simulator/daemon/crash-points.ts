import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Journal } from '#ports/journal.ts';
import type { Scene } from '#simulator/service/scene.ts';
import type { Draws } from '#simulator/world/draws.ts';
import type { Crash, Disk } from './disk.ts';

/** Thrown through the running code when the machine stops. */
export class PowerCut extends Error {}

/** A place in the code at which a crash can be set. */
type CrashPoint = 'before a commit' | 'in a commit' | 'after a commit' | 'before the bytes of an order' | 'after the bytes of an order';
/** The points at which a simulated process may crash. */
export const CRASH_POINTS: readonly CrashPoint[] = [
  'before a commit',
  'in a commit',
  'after a commit',
  'before the bytes of an order',
  'after the bytes of an order',
];

interface JournalWorldOptions {
  readonly scene: Scene;
  readonly disk: Disk;
  readonly draws: Draws;
  /** True once the process has ended and writes nothing more. */
  readonly isOver: () => boolean;
  /** Crashes the process at once. The result is to be thrown. */
  readonly crash: (how: Crash, where: string) => PowerCut;
  /** Pauses the process after a number of readings of the time. */
  readonly pauseAfter: (reads: number, ms: number) => void;
  /** Called with written rows, and whether they are durable. */
  readonly committed: (decisions: readonly Decision[], isSynced: boolean) => void;
}

/** Wraps the engine's journal with its faults: a slow or full disk, a failed sync, another program's lock, a power failure. */
export class JournalWorld implements Journal {
  private readonly inner: Journal;
  private readonly options: JournalWorldOptions;
  private awaited: { readonly point: CrashPoint; readonly how: Crash } | null = null;
  private deferred: Decision[] = [];
  private failing: 'full' | 'sync' | null = null;

  constructor(inner: Journal, options: JournalWorldOptions) {
    this.inner = inner;
    this.options = options;
  }

  /** Sets a crash at a point of the code. */
  await(point: CrashPoint, how: Crash): void {
    this.awaited = { point, how };
  }

  /** Makes the next commit fail by a full disk or a failed sync. */
  failNext(why: 'full' | 'sync'): void {
    this.failing = why;
  }

  /** Called where the path of an order passes a crash point. */
  pass(point: CrashPoint): void {
    if (this.awaited?.point === point) throw this.crashNow(point);
  }

  commit(decisions: readonly Decision[]): void {
    this.synced(decisions, () => this.inner.commit(decisions));
  }

  defer(decisions: readonly Decision[]): void {
    this.checkAlive();
    this.deferred.push(...decisions);
    this.inner.defer(decisions);
  }

  write(): void {
    const { disk, scene } = this.options;
    this.checkAlive();
    this.refuseBusy();
    disk.beginUnsynced();
    this.inner.write();
    this.tell([], false);
    if (scene.troubles.strikes('F42', 'the process dies between the commit of a notification and its 2xx')) {
      throw this.crashNow('after the commit of a notification');
    }
  }

  flush(): void {
    // The mark moves after the commit, in a step of its own.
    if (this.deferred.length > 0) this.commit([]);
    this.checkAlive();
    this.inner.flush();
  }

  end(...given: Parameters<Journal['end']>): void {
    this.checkAlive();
    this.inner.end(...given);
  }

  private synced(decisions: readonly Decision[], work: () => void): void {
    const { disk, scene } = this.options;
    this.checkAlive();
    this.refuseBusy();
    if (this.awaited?.point === 'before a commit') throw this.crashNow('before a commit');
    const { failing } = this;
    this.failing = null;
    if (failing === 'full') throw diskFault('ENOSPC', 'database or disk is full');
    if (failing === 'sync' && scene.draws.chance(0.5)) throw diskFault('EIO', 'disk I/O error');
    if (this.awaited?.point === 'in a commit') disk.beginUnsynced();
    work();
    if (failing === 'sync') throw diskFault('EIO', 'disk I/O error');
    if (this.awaited?.point === 'in a commit') throw this.crashNow('in a commit');
    disk.synced();
    this.tell(decisions, true);
    const slow = scene.troubles.strikes('F48', 'a sync is slow');
    if (slow) scene.machine.burn(slow.trouble.figure);
    if (this.awaited?.point === 'after a commit') throw this.crashNow('after a commit');
    if (decisions.some(({ kind }) => kind === 'approved') && scene.troubles.strikes('F14', 'the loop stalls before an order is written')) {
      // Some stalls outlast every quote.
      scene.machine.burn(scene.draws.between(200, Math.max(4_000, scene.plan.validityMs * 1.3)));
    }
    // The first reading measures the commit, the next stamps the signature.
    const pausing = decisions.some(({ kind }) => kind === 'approved') ? scene.troubles.draw('F59') : undefined;
    if (pausing) this.options.pauseAfter(2, pausing.draws.between(260, 900));
  }

  private tell(decisions: readonly Decision[], isSynced: boolean): void {
    this.options.committed([...this.deferred, ...decisions], isSynced);
    this.deferred = [];
  }

  private refuseBusy(): void {
    const { troubles } = this.options.scene;
    if (!troubles.on('F41')) return;
    troubles.struck('F41');
    throw new KairosError('JOURNAL_BUSY', 'JOURNAL_BUSY: another program held the journal for over 50 ms, so nothing was committed');
  }

  private crashNow(where: string): PowerCut {
    const how = this.awaited?.how ?? 'power';
    this.awaited = null;
    return this.options.crash(how, where);
  }

  private checkAlive(): void {
    if (this.options.isOver()) throw new PowerCut('the process has ended');
  }
}

function diskFault(code: string, text: string): KairosError {
  return new KairosError('JOURNAL_FAULT', `journal could not commit (${text}): check the disk, then start again`, {
    cause: Object.assign(new Error(text), { code }),
  });
}
