import { type ControlFiles, leaveHalt, standingHalt } from '#adapters/journal/control-files.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import type { Command, InboxEvent } from '#domain/event.ts';
import type { Millis } from '#domain/names.ts';
import type { DueLine } from '#domain/schedule.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { type JournalKeeper, journalHeld } from './journal-keeper.ts';

interface EventIntakeOptions {
  readonly inbox: Pick<Inbox, 'post' | 'drain'>;
  readonly keeper: JournalKeeper;
  readonly files: ControlFiles;
  readonly timers: Timers;
  /** Does work whose errors halt. */
  readonly guarded: (work: () => void) => void;
  readonly isFailed: () => boolean;
  readonly isHalted: () => boolean;
}

/** How often what could not be written is tried again by a process that stops, in milliseconds. */
const AGAIN_MS = 250;

/** Takes what people and the schedule ask for with the journal in hand, so that nothing is let go whose row another program keeps out. */
export class EventIntake {
  private readonly options: EventIntakeOptions;
  private readonly end = new AbortController();

  constructor(options: EventIntakeOptions) {
    this.options = options;
  }

  /** Aborted as the last rows are written. */
  get ended(): AbortSignal {
    return this.end.signal;
  }

  /** Takes what was answered; at the end it has nowhere to go. */
  post(event: InboxEvent): void {
    if (!this.ended.aborted) this.options.inbox.post(event);
  }

  /** Handles everything that waits and writes it, durable unless `write` says otherwise; false if that failed. */
  settle(write: () => boolean = () => this.options.keeper.commit()): boolean {
    const { inbox, guarded, isFailed } = this.options;
    let written = false;
    guarded(() => {
      inbox.drain();
      written = write();
    });
    return written && !isFailed();
  }

  /**
   * Takes what a person asked for at once; false if that ended in a fault. Throws OPS_UNAVAILABLE if another program holds the journal. What
   * opens nothing is taken all the same, and its row follows; a file keeps a halt for the next start.
   */
  handleNow(asked: Command | DueLine): boolean {
    const { keeper, files, timers, isFailed, isHalted } = this.options;
    const isAct = 'act' in asked;
    const event: InboxEvent = isAct ? { kind: 'command', command: asked } : { kind: 'due', line: asked };
    if (!this.accept(event, () => isAct && opensNothing(asked, isHalted()))) throw journalHeld();
    if (isAct && asked.act === 'halt' && (keeper.isBusy || isFailed())) leaveHalt(files, asked, timers.wallMs());
    return !isFailed();
  }

  /** Takes a line of the schedule; false while another program holds the journal. */
  due(line: DueLine): boolean {
    return this.accept({ kind: 'due', line });
  }

  /** Writes what was deferred. */
  flush(): void {
    const { keeper } = this.options;
    keeper.flush();
    this.keepHalt();
  }

  /** The end: nothing that was decided is left behind while another program holds the journal, until a time. */
  async writeAll(until: Millis): Promise<void> {
    const { inbox, keeper, timers, guarded } = this.options;
    this.end.abort();
    do {
      guarded(() => {
        inbox.drain();
        keeper.flush();
      });
      if (!keeper.isBusy) return;
      this.keepHalt();
      await pause(timers, AGAIN_MS);
    } while (timers.monotonicMs() < until);
  }

  /** A halt whose row another program keeps out is kept by a file for the next start. */
  private keepHalt(): void {
    const { keeper, files, timers, isHalted } = this.options;
    if (!keeper.isBusy || !isHalted() || standingHalt(files) !== undefined) return;
    leaveHalt(files, { who: 'kairos', why: 'halted while another program held the journal' }, timers.wallMs());
  }

  /** Takes an event behind everything that waits; false if another program holds the journal, unless `anyhow`. */
  private accept(event: InboxEvent, anyhow = (): boolean => false): boolean {
    const { inbox, keeper, guarded } = this.options;
    if (!this.settle() && keeper.isBusy && !anyhow()) return false;
    guarded(() => {
      inbox.post(event);
      inbox.drain();
      keeper.flush();
    });
    return true;
  }
}

/** True for acts by which nothing is opened that was not allowed before. Their exits have their rows first, and so wait for the journal. */
function opensNothing(asked: Command, isHalted: boolean): boolean {
  switch (asked.act) {
    case 'halt':
    case 'pause':
    case 'close':
    case 'drilled':
      return true;
    case 'flatten':
      return !(asked.resume && isHalted);
    default:
      return false;
  }
}
