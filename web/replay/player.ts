import type { ReplayStep, ReplayView } from '#server/page/replay-view.ts';
import { look } from '../live/ask.ts';
import { Store } from '../live/store.ts';

/** Playing speeds, in seconds of the run a second. */
export const SPEEDS = [1, 10, 60, 600] as const;
const FIRST_SPEED = 10;
/** Interval at which the moment moves while it plays, in milliseconds. */
const TICK_MS = 200;

/** The shown part of a run. */
export interface ReplayFrame {
  /** The run as it was at the moment; null before the first answer. */
  readonly view: ReplayView | null;
  /** The moment, in milliseconds since 1970. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** Why the last answer is missing; empty if it is not. */
  readonly failed: string;
}

/** The next request: a moment, or the next row of a kind. */
type Move = { readonly at: number } | { readonly to: ReplayStep; readonly back: boolean };

/** Plays a past run: to any moment, from decision to decision, or continuously. One request is in flight; of several that wait, the newest is sent. */
export class ReplayPlayer {
  readonly run: string;
  readonly shown = new Store<ReplayFrame>({ view: null, at: 0, isPlaying: false, speed: FIRST_SPEED, failed: '' });
  private isAsking = false;
  private waiting: Move | null = null;

  constructor(run: string) {
    this.run = run;
  }

  /** From a moment on; NaN: from the first decision. */
  async begin(at: number): Promise<void> {
    await this.ask(Number.isNaN(at) ? '' : queryOf({ at }, this.shown.get()));
    if (at) this.set({ at });
    setInterval(() => this.tick(), TICK_MS);
  }

  seek(at: number): void {
    const { view } = this.shown.get();
    if (!view) return;
    const inside = Math.min(Math.max(at, Date.parse(view.from)), Date.parse(view.to));
    this.set({ at: inside });
    this.request({ at: inside });
  }

  /** Moves to the next row of a kind, or back to the last one. */
  step(to: ReplayStep, back: boolean): void {
    this.set({ isPlaying: false });
    this.request({ to, back });
  }

  play(isPlaying: boolean): void {
    const { view, at } = this.shown.get();
    // At the end it starts again.
    if (isPlaying && view && at >= Date.parse(view.to)) this.seek(Date.parse(view.from));
    this.set({ isPlaying });
  }

  speedUp(speed: number): void {
    this.set({ speed });
  }

  private tick(): void {
    const { isPlaying, at, speed, view } = this.shown.get();
    if (!isPlaying || !view) return;
    const end = Date.parse(view.to);
    const next = Math.min(end, at + TICK_MS * speed);
    this.set({ at: next, isPlaying: next < end });
    this.request({ at: next });
  }

  private request(move: Move): void {
    if (this.isAsking) this.waiting = move;
    else void this.ask(queryOf(move, this.shown.get()), 'to' in move);
  }

  /** `follows`: the moment moves to the row that was found. */
  private async ask(query: string, follows = true): Promise<void> {
    this.isAsking = true;
    const found = await look<ReplayView>(`/api/replay?run=${encodeURIComponent(this.run)}${query}`);
    this.isAsking = false;
    if (found.kind === 'done') this.show(found.body, follows);
    else this.set({ failed: found.why, isPlaying: false });
    const { waiting } = this;
    this.waiting = null;
    if (waiting) this.request(waiting);
  }

  private show(view: ReplayView, follows: boolean): void {
    this.set({ view, failed: '', ...(follows && { at: Date.parse(view.row?.at ?? view.from) }) });
  }

  private set(changed: Partial<ReplayFrame>): void {
    this.shown.set({ ...this.shown.get(), ...changed });
  }
}

function queryOf(move: Move, { view, at }: ReplayFrame): string {
  if ('at' in move) return `&at=${new Date(move.at).toISOString()}`;
  // From the row that is shown, or from the moment if it is before the first row.
  const from = view?.row ? `seq=${view.row.seq}` : `at=${new Date(at).toISOString()}`;
  return `&${from}&to=${move.to}&back=${move.back}`;
}
