import { expect, test } from 'vitest';
import { statesText } from '#domain/order-states.ts';
import { unknownStrategy } from '#domain/unknown-strategy.ts';

test.each<[text: string, states: readonly (readonly [state: string, count: number])[]]>([
  [
    '33 accepted, 2 not sent',
    [
      ['accepted', 33],
      ['not_sent', 2],
    ],
  ],
  [
    '33 accepted; 1 of a drill, not sent',
    [
      ['accepted', 33],
      ['drill', 1],
    ],
  ],
  [
    '1 expired in flight; 3 of drills, not sent',
    [
      ['drill', 3],
      ['expired_in_flight', 1],
    ],
  ],
  ['1 of a drill, not sent', [['drill', 1]]],
  ['', []],
])('%s', (text, states) => {
  expect(statesText(states)).toBe(text);
});

test('an unknown strategy is answered with the one that may be meant, or with all', () => {
  expect(unknownStrategy('the journal x.db', 'mine', ['mien', 'other'])).toMatchObject({
    code: 'NOT_FOUND',
    message: 'the journal x.db has no strategy "mine"; the nearest is mien',
  });
  expect(unknownStrategy('run 1', 'abcdef', ['x', 'y']).message).toBe('run 1 has no strategy "abcdef"; there are x, y');
});
