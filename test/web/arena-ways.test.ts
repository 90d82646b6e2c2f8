import { expect, test } from 'vitest';
import { waysIn } from '../../web/arena/ways.ts';

const boxed = (left: number, top: number, right: number) => ({
  querySelector: () => null,
  getBoundingClientRect: () => ({ left, top, right }),
});

test("messages go along the edges of the arena's rooms, not over their figures", () => {
  const rooms = { '.service': boxed(70, 200, 400), '.daemon': boxed(70, 500, 400) };
  const stage = {
    ...boxed(70, 200, 1500),
    querySelector: (name: string) => Object.entries(rooms).find(([room]) => room === name)?.[1] ?? null,
  };
  expect(waysIn(stage)).toEqual({ service: { x: 330, y: 0 }, daemon: { x: 330, y: 300 } });
});
