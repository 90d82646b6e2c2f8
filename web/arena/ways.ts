import type { RoomName } from '#lab/arena/server/film.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where each room sends from and receives. */
export type Ways = Readonly<Partial<Record<RoomName, Point>>>;

interface Box {
  querySelector(selector: string): Box | null;
  getBoundingClientRect(): { readonly right: number; readonly left: number; readonly top: number };
}

/** The upper right corner of each room: messages go along its edges, beside its figures. */
export function waysIn(stage: Box): Ways {
  const whole = stage.getBoundingClientRect();
  const ways: Partial<Record<RoomName, Point>> = {};
  for (const name of ['service', 'network', 'daemon', 'disk'] as const) {
    const box = stage.querySelector(`.${name}`)?.getBoundingClientRect();
    if (box) ways[name] = { x: box.right - whole.left, y: box.top - whole.top };
  }
  return ways;
}
