import type { Film } from '#lab/arena/server/film.ts';
import { Store } from '../live/store.ts';
import { countBy, type FilmScene, sceneAt, scenesOf } from './scenes.ts';

/** Playing speeds, in seconds of the history a second. */
export const SPEEDS = [1, 5, 20, 60, 300] as const;
const FIRST_SPEED = 20;
/** How long before a fault a jump lands, in milliseconds. */
const AHEAD_MS = 1_500;
/** How often a film in progress is read, in milliseconds. */
const ASK_MS = 500;

/** The shown part of a film. */
export interface FilmView {
  readonly film: Film;
  readonly now: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly scene: FilmScene;
}

/** Plays a film: forward in its own time, to any moment, and from one fault to the next. */
export class FilmPlayer {
  readonly shown: Store<FilmView>;
  private scenes: readonly FilmScene[];
  private lastFrame = 0;

  constructor(film: Film) {
    this.scenes = scenesOf(film);
    const now = film.isLive ? film.madeMs : 0;
    this.shown = new Store({ film, now, isPlaying: true, speed: film.isLive ? 1 : FIRST_SPEED, scene: sceneAt(this.scenes, now) });
  }

  begin(): void {
    requestAnimationFrame((at) => this.frame(at));
    if (this.shown.get().film.isLive) setTimeout(() => void this.ask(), ASK_MS);
  }

  play(isPlaying: boolean): void {
    const { now, film } = this.shown.get();
    // At the end it starts again.
    if (isPlaying && now >= film.madeMs && !film.isLive) this.seek(0);
    this.set({ isPlaying });
  }

  speedUp(speed: number): void {
    this.set({ speed });
  }

  seek(t: number): void {
    const { film } = this.shown.get();
    const now = Math.max(0, Math.min(film.madeMs, t));
    this.set({ now, scene: sceneAt(this.scenes, now) });
  }

  /** Moves to the next event. */
  step(): void {
    const { film, now } = this.shown.get();
    const next = [film.travels, film.lines, film.strikes].map((all) => all[countBy(all, now)]?.t ?? film.madeMs);
    this.set({ isPlaying: false });
    this.seek(Math.min(...next));
  }

  /** Moves to just before the next fault; false if none is left. */
  nextFault(): boolean {
    const { film, now } = this.shown.get();
    const next = film.strikes.find(({ t }) => t > now + AHEAD_MS);
    if (!next) return false;
    this.seek(next.t - AHEAD_MS);
    return true;
  }

  private set(changed: Partial<FilmView>): void {
    this.shown.set({ ...this.shown.get(), ...changed });
  }

  private frame(at: number): void {
    const { isPlaying, now, speed, film } = this.shown.get();
    const passedMs = Math.min(100, at - (this.lastFrame || at));
    this.lastFrame = at;
    if (isPlaying && now < film.madeMs) this.seek(now + passedMs * speed);
    else if (isPlaying && !film.isLive) this.set({ isPlaying: false });
    requestAnimationFrame((next) => this.frame(next));
  }

  private async ask(): Promise<void> {
    const { film } = this.shown.get();
    try {
      const more = (await (await fetch(`/api/film?after=${film.madeMs}`)).json()) as Film;
      this.scenes = scenesOf(more, this.scenes);
      const grown = {
        ...more,
        samples: [],
        travels: [...film.travels, ...more.travels],
        strikes: [...film.strikes, ...more.strikes],
        lines: [...film.lines, ...more.lines],
      };
      this.set({ film: grown });
    } catch {
      // The arena may be busy or gone: the page keeps what it has.
    }
    if (this.shown.get().film.isLive) setTimeout(() => void this.ask(), ASK_MS);
  }
}
