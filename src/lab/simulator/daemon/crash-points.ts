import type { Decision, DecisionKind } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import type { Journal } from '#ports/journal.ts';
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

/** The kinds of rows of which a commit may be drawn to fail: those that something waits for. */
const FAILING: readonly DecisionKind[] = [
  ...(['approved', 'accepted', 'rejected', 'unknown', 'not_sent', 'expired', 'resolved', 'state'] as const),
  ...(['halted', 'reducing', 'paused', 'resumed', 'armed', 'disarmed', 'disabled', 'enabled'] as const),
  ...(['by_hand', 'by_hand_end', 'booked', 'action', 'stopped'] as const),
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
  /** True once a commit has failed by the disk. */
  hasFailed = false;
  /** Rows on the disk of which a failed sync left that unsure: written again they take their own places. */
  private readonly unsure = new Set<Decision>();
  /** World time up to which another program holds the file. */
  private heldUntil = 0;
  /** Other programs cannot take the file before the next commit. */
  private isReserved = false;
  private readonly meanwhile = new Map<DecisionKind, () => void>();

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

  /** True while another program holds the file. */
  get isHeld(): boolean {
    return this.options.scene.world.now < this.heldUntil;
  }

  /** Has something happen once, while a row of that kind is being committed. */
  during(kind: DecisionKind, happens: () => void): void {
    this.meanwhile.set(kind, happens);
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
    const rows = decisions.filter((row) => !this.unsure.has(row));
    this.deferred.push(...rows);
    this.inner.defer(rows);
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
    this.isReserved = false;
    this.inner.flush();
  }

  end(...given: Parameters<Journal['end']>): void {
    this.checkAlive();
    this.inner.end(...given);
  }

  private synced(decisions: readonly Decision[], work: () => void): void {
    const { disk, scene } = this.options;
    this.checkAlive();
    this.refuseBusy(decisions);
    for (const { kind } of decisions) {
      this.meanwhile.get(kind)?.();
      this.meanwhile.delete(kind);
    }
    if (this.awaited?.point === 'before a commit') throw this.crashNow('before a commit');
    const failing = this.failing ?? this.drawnFailure([...this.deferred, ...decisions]);
    this.failing = null;
    this.hasFailed ||= failing !== null;
    if (failing === 'full') throw diskFault('ENOSPC', 'database or disk is full');
    if (failing === 'sync' && scene.draws.chance(0.5)) throw diskFault('EIO', 'disk I/O error');
    if (this.awaited?.point === 'in a commit') disk.beginUnsynced();
    work();
    this.isReserved = decisions.length === 0;
    if (failing === 'sync') {
      for (const row of decisions) this.unsure.add(row);
      throw diskFault('EIO', 'disk I/O error');
    }
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

  /** Another program may hold the file for a time, or take it as the first row of a kind is about to be committed. */
  private refuseBusy(decisions: readonly Decision[] = []): void {
    const { troubles, world } = this.options.scene;
    if (this.isReserved) return;
    for (const { kind } of decisions) {
      const strike = troubles.first('F41b', kind);
      if (!strike?.draws.chance(strike.trouble.share)) continue;
      this.heldUntil = world.now + strike.draws.between(0, strike.trouble.figure);
      troubles.struck('F41b', `another program holds the journal as a row is committed: ${kind}`);
      throw journalHeld();
    }
    if (world.now < this.heldUntil) throw journalHeld();
    if (!troubles.on('F41')) return;
    troubles.struck('F41');
    throw journalHeld();
  }

  /** A commit of one drawn kind of row fails, by a full disk or by its sync. */
  private drawnFailure(decisions: readonly Decision[]): 'full' | 'sync' | null {
    const { troubles } = this.options.scene;
    const strike = troubles.on('F47b');
    if (!strike) return null;
    const kind = FAILING[Math.floor(strike.trouble.figure * FAILING.length)];
    if (!decisions.some((row) => row.kind === kind) || !troubles.first('F47b')) return null;
    troubles.struck('F47b', `the commit of a row fails: ${kind}`);
    return strike.draws.pick(['full', 'sync'] as const);
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

function journalHeld(): KairosError {
  return new KairosError('JOURNAL_BUSY', 'JOURNAL_BUSY: another program held the journal for over 50 ms, so nothing was committed');
}

function diskFault(code: string, text: string): KairosError {
  return new KairosError('JOURNAL_FAULT', `journal could not commit (${text}): check the disk, then start again`, {
    cause: Object.assign(new Error(text), { code }),
  });
}
