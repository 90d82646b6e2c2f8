import type { FilmLine, FilmStrike, Reel, RoomLine, RoomName, Sample, Travel } from '#lab/arena/server/film.ts';

export type Rooms = Readonly<Record<RoomName, readonly RoomLine[]>>;

/** Strikes of the same fault within this time count as one, in milliseconds. */
const ONE_STRIKE_MS = 10_000;

/** Records events as a film, which stores changes only. */
export class Recorder implements Reel {
  readonly samples: Sample[] = [];
  readonly travels: Travel[] = [];
  readonly strikes: FilmStrike[] = [];
  readonly lines: FilmLine[] = [];
  private readonly codes: readonly string[];
  private readonly counts: number[];
  private readonly shown = new Map<RoomName, string>();
  private readonly lastStrike = new Map<string, number>();
  private readonly broken: Record<string, string> = {};
  private isCounted = false;
  private isBroken = false;

  /** `codes` are those of the lights, in order. */
  constructor(codes: readonly string[]) {
    this.codes = codes;
    this.counts = codes.map(() => 0);
  }

  /** Counts a check for each of these lights. */
  count(codes: readonly string[]): void {
    for (const code of codes) {
      const at = this.codes.indexOf(code);
      this.counts[at] = (this.counts[at] ?? 0) + 1;
    }
    this.isCounted = true;
  }

  /** Marks a light as broken. */
  break(code: string, why: string): void {
    this.broken[code] ??= why;
    this.isBroken = true;
  }

  travel(travel: Travel): void {
    this.travels.push(travel);
  }

  tell(t: number, text: string): void {
    this.lines.push({ t, text });
  }

  /** Returns whether the strike is recorded: not if the same fault has just struck, without text of its own. */
  strike(strike: FilmStrike, isWordy: boolean): boolean {
    const before = this.lastStrike.get(strike.fault) ?? Number.NEGATIVE_INFINITY;
    this.lastStrike.set(strike.fault, strike.t);
    if (!isWordy && strike.t - before < ONE_STRIKE_MS) return false;
    this.strikes.push(strike);
    return true;
  }

  /** Records a sample of the rooms, without what has not changed. */
  sample(t: number, rooms: Rooms): void {
    const changed: Partial<Record<RoomName, readonly RoomLine[]>> = {};
    for (const name of ROOMS) {
      const text = JSON.stringify(rooms[name]);
      if (this.shown.get(name) === text) continue;
      this.shown.set(name, text);
      changed[name] = rooms[name];
    }
    if (Object.keys(changed).length === 0 && !this.isCounted && !this.isBroken) return;
    this.samples.push({
      t,
      rooms: changed,
      ...(this.isCounted && { checks: [...this.counts] }),
      ...(this.isBroken && { broken: { ...this.broken } }),
    });
    this.isCounted = false;
    this.isBroken = false;
  }

  /** The events after one time up to another. */
  between(after: number, upTo: number): Reel {
    const within = <One extends { readonly t: number }>(all: readonly One[]) =>
      all.slice(all.findLastIndex(({ t }) => t <= after) + 1, all.findLastIndex(({ t }) => t <= upTo) + 1);
    return { samples: within(this.samples), travels: within(this.travels), strikes: within(this.strikes), lines: within(this.lines) };
  }
}

const ROOMS: readonly RoomName[] = ['service', 'network', 'daemon', 'disk'];
