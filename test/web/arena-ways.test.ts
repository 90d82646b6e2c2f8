import { expect, test } from 'vitest';
import { atEnd } from '../../web/arena/scenes.ts';
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

test('what has stopped at the end of a history is neutral there, and no fault', () => {
  const lines = [
    { label: 'process', value: 'starts', tone: 'bad' },
    { label: 'feed', value: 'no subscription', tone: 'bad' },
    { label: 'held', value: 'none', tone: 'warn' },
  ] as const;
  expect(atEnd(lines)).toEqual([
    { label: 'process', value: 'stopped', tone: 'plain' },
    { label: 'feed', value: 'ended', tone: 'plain' },
    { label: 'held', value: 'none', tone: 'plain' },
  ]);
});
