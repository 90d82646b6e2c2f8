import { expect, test } from 'vitest';
import { Heap, TimerHeap } from '#domain/heap.ts';
import { seeded } from '#domain/seeded.ts';

interface Item {
  readonly key: number;
  readonly name: string;
}

test('a heap gives what a sorted list gives, whatever is added, removed and moved on the way', () => {
  const draw = seeded('heap');
  const heap = new Heap<{ key: number }>((a, b) => a.key < b.key);
  let sorted: { key: number }[] = [];
  heap.removeFirst();
  heap.firstMoved();
  expect([heap.size, heap.first]).toEqual([0, undefined]);
  for (let step = 0; step < 400; step += 1) {
    const what = draw.next();
    if (what < 0.5 || sorted.length === 0) {
      const item = { key: Math.floor(draw.next() * 1000) };
      heap.push(item);
      sorted.push(item);
    } else if (what < 0.7) {
      heap.removeFirst();
      sorted.shift();
    } else if (heap.first) {
      heap.first.key += Math.floor(draw.next() * 500);
      heap.firstMoved();
    }
    sorted = sorted.toSorted((a, b) => a.key - b.key);
    expect([heap.size, heap.first?.key]).toEqual([sorted.length, sorted[0]?.key]);
  }
});

test('a heap that is built anew keeps what it is told, and of equals those that were in before come first', () => {
  const heap = new Heap<Item>((a, b) => a.key < b.key);
  for (const [key, name] of [
    [2, 'a'],
    [1, 'out'],
    [2, 'b'],
    [3, 'c'],
  ] as const)
    heap.push({ key, name });
  heap.rebuild(({ name }) => name !== 'out', { key: 2, name: 'new' }, { key: 1, name: 'least' });
  const names: string[] = [];
  for (; heap.first; heap.removeFirst()) names.push(heap.first.name);
  expect(names[0]).toBe('least');
  expect(names.at(-1)).toBe('c');
  expect(names.slice(1, 4).toSorted()).toEqual(['a', 'b', 'new']);
  expect(heap.size).toBe(0);
});

const timer = (due: number, order: number) => ({ due, order, live: true });

test('timers fire by their time, then by their order of creation; a cancelled one never does', () => {
  const heap = new TimerHeap<ReturnType<typeof timer>>();
  const [late, first, second, gone] = [timer(20, 1), timer(10, 2), timer(10, 3), timer(5, 4)];
  for (const one of [late, second, gone, first]) heap.push(one);
  expect(heap.size).toBe(4);
  heap.cancel(gone);
  heap.cancel(gone);
  expect([heap.size, heap.peek(), heap.size]).toEqual([3, first, 3]);
  expect([heap.pop(), heap.pop(), heap.pop(), heap.pop()]).toEqual([first, second, late, undefined]);
  expect([heap.size, heap.peek()]).toEqual([0, undefined]);
});

test('cancelled timers do not gather: past 64 of them, and more than the live ones, they leave', () => {
  const heap = new TimerHeap<ReturnType<typeof timer>>();
  const timers = Array.from({ length: 200 }, (_, n) => timer(1000 - n, n));
  for (const one of timers) heap.push(one);
  for (const [n, one] of timers.entries()) {
    if (n >= 100) heap.cancel(one);
    expect(heap.size).toBe(n < 100 ? 200 : 299 - n);
  }
  for (const one of timers.slice(0, 99)) heap.cancel(one);
  expect([heap.size, heap.pop(), heap.size]).toEqual([1, timers[99], 0]);
});
