import { describe, expect, test } from 'vitest';
import { buy, close, hold, readReturned, sell, target } from '#core/strategy/intents.ts';
import { decimalOf } from '#domain/decimal.ts';

describe('what a strategy writes is what the order placer gets', () => {
  test('B04 I11: amounts are exact, from numbers, texts and decimals', () => {
    const exact = decimalOf('0.1');
    for (const base of [0.1, '0.1', exact]) expect(buy({ base }, 'x').size).toEqual({ kind: 'amount', amount: { base: exact } });
    expect(sell({ quote: 1e-7 }, 'x').size).toEqual({ kind: 'amount', amount: { quote: decimalOf('0.0000001') } });
  });

  test('each builder names its side, size, reason, limit and tag', () => {
    expect(buy({ base: 1 }, 'up', { limit: 101, tag: 'entry' })).toMatchObject({ kind: 'intent', side: 'buy', limit: 101, tag: 'entry' });
    expect(sell('position', 'down')).toEqual({
      kind: 'intent',
      side: 'sell',
      size: { kind: 'position' },
      reason: 'down',
      tag: null,
      limit: null,
      within: null,
      on: null,
    });
    expect(close(50, 'half')).toMatchObject({ side: null, size: { kind: 'percent', percent: 50 } });
    expect(target(-2, 'short two')).toMatchObject({ side: null, size: { kind: 'target', size: decimalOf(-2) } });
    expect(hold('too wide')).toEqual({ kind: 'hold', reason: 'too wide' });
  });

  test('every intent that the builders make is one that the host accepts, unchanged', () => {
    for (const intent of [
      buy({ base: 1 }, 'a', { limit: 2, within: '5s', on: 'hedge' }),
      sell('position', 'b', { tag: 't' }),
      close(100, 'c'),
      target(0, 'd'),
    ]) {
      expect(readReturned(intent)).toEqual({ kind: 'intents', intents: [intent] });
    }
  });
});

describe('B01 B02 B05 B09: what is no amount is refused where it is written', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0, -1, '', '1,000.50', '1_000', '0x10', ' 12 '])('buy of %s', (base) => {
    expect(() => buy({ base }, 'x')).toThrow(/buy: /);
  });
  test.each([0, -1, 101, Number.NaN])('close %s percent', (percent) => expect(() => close(percent, 'x')).toThrow('close: a share'));
  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('limit %s', (limit) => {
    expect(() => buy({ base: 1 }, 'x', { limit })).toThrow('limit: must be a price');
  });
  test.each<[string, () => unknown, string]>([
    [
      'buy of NaN',
      () => buy((0 / 0) as never, 'x'),
      "buy: the size is not a number (NaN): an amount is {base: N}, {quote: N} or 'position'",
    ],
    ['base of NaN', () => buy({ base: 0 / 0 }, 'x'), 'buy: the size is not a number (NaN)'],
    ['target of NaN', () => target(Number.NaN, 'x'), 'target: the size is not a number (NaN)'],
    ['buy of a size that is not there', () => buy({ base: Object(undefined).size }, 'x'), 'buy: the size is missing (undefined)'],
    ['sell of a division by 0', () => sell({ quote: 1 / 0 }, 'x'), 'sell: the size is not finite (Infinity)'],
  ])('%s is told as such', (_name, write, message) => {
    expect(write).toThrow(expect.objectContaining({ message }));
  });
  test('without a reason', () => {
    expect(() => buy({ base: 1 }, '')).toThrow('buy: give a reason');
    expect(() => sell({ quote: 5, base: 1 }, 'x')).toThrow('sell: an amount is {base: N} or {quote: N}, not both: {"quote":5,"base":1}');
    expect(() => hold('')).toThrow('hold: give a reason');
  });
  test.each(['5 seconds', -1, 0, Number.NaN])('within %s', (within) => {
    expect(() => buy({ base: 1 }, 'x', { within })).toThrow('within: ');
  });
  test('a misspelt option is refused by name, not dropped', () => {
    const options: object = { withing: '5s' };
    expect(() => buy({ base: 1 }, 'x', options)).toThrow("not 'withing'");
  });
});
