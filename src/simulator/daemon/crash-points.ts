import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Journal } from '#ports/journal.ts';
import type { Scene } from '#simulator/service/scene.ts';
import type { Draws } from '#simulator/world/draws.ts';
import type { Crash, Disk } from './disk.ts';

/** The machine has stopped in the middle of what it did: thrown through whatever ran. */
export class PowerCut extends Error {}

/** Where a crash is waited for. */
type CrashPoint = 'before a commit' | 'in a commit' | 'after a commit' | 'before the bytes of an order' | 'after the bytes of an order';
/** The moments at which a simulated process may be ended. */
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
  /** True once the process has ended: it writes nothing more. */
  readonly isOver: () => boolean;
  /** Ends the process here and now. Returns only to be thrown through. */
  readonly crash: (how: Crash, where: string) => PowerCut;
  /** Lets the process stand still once it has read the time so often. */
  readonly pauseAfter: (reads: number, ms: number) => void;
  /** Told of what was written, and whether it is durable. */
  readonly committed: (decisions: readonly Decision[], isSynced: boolean) => void;
}

/** Stands between the engine and its journal, where the disk is slow or full, a sync fails, another program is there, or the power goes. */
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

  /** The process ends when it comes there. */
  await(point: CrashPoint, how: Crash): void {
    this.awaited = { point, how };
  }

  /** The next commit finds the disk full, or its sync fails. */
  failNext(why: 'full' | 'sync'): void {
    this.failing = why;
  }

  /** Where the way of an order comes by. */
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
    // The mark is moved behind the commit, so that the two are two.
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
      scene.machine.burn(scene.draws.between(200, 4_000));
    }
    // The commit's time is measured first, the next reading stamps the signature.
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
