import type { Film, RoomLine, RoomName } from '#lab/arena/server/film.ts';
import { countUntil } from '../charts/count-until.ts';

/** Rooms and lights at one time. */
export interface FilmScene {
  readonly t: number;
  readonly rooms: Readonly<Record<RoomName, readonly RoomLine[]>>;
  readonly checks: readonly number[];
  readonly broken: Readonly<Record<string, string>>;
}

const EMPTY: FilmScene = { t: 0, rooms: { service: [], network: [], daemon: [], disk: [] }, checks: [], broken: {} };

/** All scenes of a film. Each one takes over what the scene before left unchanged. */
export function scenesOf({ samples }: Pick<Film, 'samples'>, from: readonly FilmScene[] = []): readonly FilmScene[] {
  const scenes = [...from];
  for (const { t, rooms, checks, broken } of samples) {
    const before = scenes.at(-1) ?? EMPTY;
    scenes.push({ t, rooms: { ...before.rooms, ...rooms }, checks: checks ?? before.checks, broken: broken ?? before.broken });
  }
  return scenes;
}

/** Number of items, sorted by time, that have happened by a moment. */
export const countBy = (all: readonly { readonly t: number }[], t: number): number =>
  countUntil(all.length, (place) => all[place]?.t ?? 0, t);

export const sceneAt = (scenes: readonly FilmScene[], t: number): FilmScene => scenes[countBy(scenes, t) - 1] ?? scenes[0] ?? EMPTY;

/** A moment as hours, minutes, seconds and tenths. */
export function clockText(ms: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${part(ms / 3_600_000)}:${part((ms / 60_000) % 60)}:${part((ms / 1000) % 60)}.${Math.floor((ms % 1000) / 100)}`;
}

const ENDED: Readonly<Record<string, string>> = { 'process starts': 'stopped', 'process none': 'stopped', 'feed no subscription': 'ended' };

/** The lines of a room whose history is over: what has stopped then is no fault. */
export const atEnd = (lines: readonly RoomLine[]): readonly RoomLine[] =>
  lines.map(({ label, value }) => ({ label, value: ENDED[`${label} ${value}`] ?? value, tone: 'plain' }));
