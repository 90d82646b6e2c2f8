import { Observable, Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { RunningCode } from '#core/strategy/running-code.ts';
import { QuoteStream } from '#core/strategy/strategy-runner.ts';

/** Gives a value to a stream under nobody's surroundings. */
function guarded(): <T>(stream: { next(value: T): void }, value: T) => { readonly error: unknown } | undefined {
  const code = new RunningCode(undefined);
  return (stream, value) => code.give(undefined, stream, value);
}

/** What was thrown, as it is told. */
const thrown = (text: string) => ({ error: expect.objectContaining({ message: expect.stringContaining(text) }) });

const boom = (text: string) => () => {
  throw new Error(text);
};

test('F68: whoever gives a value hears what was thrown, by the code itself or by a reader, and once', () => {
  const give = guarded();
  const failing = new QuoteStream<number>();
  failing.values$.subscribe(boom('a reader'));
  expect(give({ next: boom('the code itself') }, 1)).toEqual(thrown('the code itself'));
  expect(give(failing, 1)).toEqual(thrown('a reader'));
  const both = {
    next() {
      failing.next(1);
      throw new Error('both');
    },
  };
  expect(give(both, 1)).toEqual(thrown('a reader'));
  expect(give({ next: () => {} }, 1)).toBeUndefined();
});

test('F68: what throws within another one is the inner one’s alone', () => {
  const give = guarded();
  const seen: string[] = [];
  expect(give({ next: () => seen.push(String(give({ next: boom('inner') }, 1)?.error)) }, 1)).toBeUndefined();
  expect(seen).toEqual(['Error: inner']);
});

test('F68: a Subject that its reader has closed throws to whoever gives, and to nobody after', () => {
  const give = guarded();
  const closed = new Subject<number>();
  closed.unsubscribe();
  expect(give(closed, 1)).toEqual(thrown('object unsubscribed'));
  const failing = new Observable<number>((reader) => reader.next(1));
  expect(give({ next: () => failing.subscribe(boom('later')) }, 1)).toEqual(thrown('later'));
  expect(give({ next: () => {} }, 1)).toBeUndefined();
});

test('readers that come and go while a quote is given do not disturb it', () => {
  const stream = new QuoteStream<number>();
  const seen: string[] = [];
  const second = new Observable<number>((reader) => stream.values$.subscribe(reader));
  stream.values$.subscribe((value) => {
    seen.push(`first ${value}`);
    if (value === 1) stream.values$.subscribe((later) => seen.push(`late ${later}`));
    if (value === 2) leaving.unsubscribe();
  });
  const leaving = second.subscribe((value) => seen.push(`second ${value}`));
  for (const value of [1, 2, 3]) stream.next(value);
  expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'late 2', 'first 3', 'late 3']);
});
