import { expect, test } from 'vitest';
import { journaled } from '#core/strategy/kept-text.ts';
import { quote } from '../../support/market-data.ts';
import { fc, test as property } from '../../support/property.ts';

test.each([
  ['a number', 1.5, 1.5],
  ['a text', 'up', 'up'],
  ['not a number', Number.NaN, 'NaN'],
  ['nothing', undefined, null],
  ['a quote, whose figures stand in the row already', quote(), 'the quote'],
  ['a record', { fast: 1, slow: 2 }, { fast: 1, slow: 2 }],
  ['a deep record', { book: { bids: [1] }, n: [1] }, { book: 'record', n: 'list' }],
  ['a list', [1, 'a', {}], [1, 'a', 'record']],
])('%s', (_, signal, expected) => {
  expect(journaled(signal)).toEqual(expected);
});

property.prop([fc.anything({ withBigInt: true, withMap: true, withObjectString: true })])(
  'whatever is emitted can be written',
  (signal) => {
    expect(() => JSON.stringify(journaled(signal))).not.toThrow();
  },
);
