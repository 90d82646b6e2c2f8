import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { OwnStep, stepped } from '#core/strategy/kernel.ts';

const running = () => {
  let sum = 0;
  return new OwnStep((value: number) => {
    sum += value;
    return sum;
  });
};
const even = () => new OwnStep((value: number) => (value % 2 === 0 ? value : undefined));
const text = () =>
  new OwnStep((value: number) => {
    if (value > 9) throw new Error('too much');
    return `${value}`;
  });

test('steps in a row are one: each subscription begins anew, what a step leaves out no later one sees, a throw ends the stream', () => {
  const values$ = new Subject<number>();
  const texts$ = values$.pipe(stepped(running), stepped(even), stepped(text));
  const seen: string[] = [];
  const tell = (who: string) => ({
    next: (one: string) => seen.push(`${who} ${one}`),
    error: (error: Error) => seen.push(`${who} ${error.message}`),
  });
  texts$.subscribe(tell('a'));
  for (const value of [1, 3]) values$.next(value);
  const late = texts$.subscribe(tell('b'));
  for (const value of [2, 1, 5]) values$.next(value);
  expect(seen.splice(0)).toEqual(['a 4', 'a 6', 'b 2', 'a too much', 'b 8']);
  late.unsubscribe();
  values$.next(1);
  expect(seen).toEqual([]);
  expect(values$.observed).toBe(false);
});
