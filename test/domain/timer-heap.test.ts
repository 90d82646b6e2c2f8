import { expect, test } from 'vitest';
import { type HeapTimer, TimerHeap } from '#domain/heap.ts';

const timer = (due: number, order: number): HeapTimer & { readonly name: string } => ({ due, order, live: true, name: `${due}/${order}` });

function drained(heap: TimerHeap<ReturnType<typeof timer>>): string[] {
  const names: string[] = [];
  for (let next = heap.pop(); next; next = heap.pop()) names.push(next.name);
  return names;
}

test('timers fire by their time, those of one time in the order in which they were made', () => {
  const heap = new TimerHeap<ReturnType<typeof timer>>();
  for (const [due, order] of [
    [5, 1],
    [3, 2],
    [5, 0],
    [1, 9],
    [3, 7],
    [3, 4],
    [9, 3],
  ] as const)
    heap.push(timer(due, order));
  expect(heap.peek()?.name).toBe('1/9');
  expect(drained(heap)).toEqual(['1/9', '3/2', '3/4', '3/7', '5/0', '5/1', '9/3']);
  expect([heap.pop(), heap.peek(), heap.size]).toEqual([undefined, undefined, 0]);
});

test('a timer that is cancelled never fires, and is counted no more, however often it is', () => {
  const heap = new TimerHeap<ReturnType<typeof timer>>();
  const all = Array.from({ length: 5 }, (_, n) => timer(n, n));
  for (const one of all) heap.push(one);
  for (const n of [0, 3, 3]) if (all[n]) heap.cancel(all[n]);
  expect(heap.size).toBe(3);
  expect(drained(heap)).toEqual(['1/1', '2/2', '4/4']);
  expect(heap.size).toBe(0);
});

test('cancelled timers that outnumber the live ones leave the memory, from 65 on', () => {
  const heap = new TimerHeap<ReturnType<typeof timer>>();
  const held = (): number => Reflect.get(heap, 'heap').size;
  const all = Array.from({ length: 200 }, (_, n) => timer(n, n));
  for (const one of all) heap.push(one);
  const cancel = (from: number, to: number) => {
    for (const one of all.slice(from, to)) heap.cancel(one);
  };
  cancel(100, 200);
  expect([held(), heap.size]).toEqual([200, 100]);
  cancel(99, 100);
  expect([held(), heap.size]).toEqual([99, 99]);
  cancel(35, 99);
  expect([held(), heap.size]).toEqual([99, 35]);
  cancel(34, 35);
  expect([held(), heap.size]).toEqual([34, 34]);
  expect(drained(heap)).toHaveLength(34);
});
