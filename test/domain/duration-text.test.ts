import { expect, test } from 'vitest';
import { durationStep, durationText } from '#domain/duration-text.ts';

test.each([
  [-5, '0 s', 1],
  [0.4, '0 s', 1],
  [999.4, '999 ms', 1],
  [999.6, '1 s', 1],
  [1000, '1 s', 100],
  [2349, '2.3 s', 100],
  [9949, '9.9 s', 100],
  [9950, '10 s', 100],
  [10_000, '10 s', 1_000],
  [59_499, '59 s', 1_000],
  [59_500, '1 min', 1_000],
  [302_000, '5 min 2 s', 1_000],
  [3_599_500, '1 h', 1_000],
  [3_600_000, '1 h', 60_000],
  [86_369_000, '23 h 59 min', 60_000],
  [86_370_000, '1 d', 60_000],
  [86_400_000, '1 d', 3_600_000],
  [273_600_000, '3 d 4 h', 3_600_000],
])('%d ms is told as %s, to its last unit', (ms, text, step) => expect([durationText(ms), durationStep(ms)]).toEqual([text, step]));
