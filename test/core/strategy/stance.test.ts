import { expect, test } from 'vitest';
import { type Stance, towards } from '#core/strategy/intents.ts';
import { decimalOf } from '#domain/decimal.ts';
import { positionOf } from '../../support/strategies.ts';

const amount = { base: decimalOf('0.1') };

test.each<[held: number, stance: Stance, canShort: boolean, expected: string]>([
  [0, 'long', false, 'buy amount'],
  [1, 'long', false, 'nothing'],
  [-1, 'long', true, 'buy position'],
  [0, 'flat', true, 'nothing'],
  [1, 'flat', false, 'sell position'],
  [-1, 'flat', true, 'buy position'],
  [0, 'short', true, 'sell amount'],
  [0, 'short', false, 'nothing'],
  [1, 'short', true, 'sell position'],
  [1, 'short', false, 'sell position'],
  [-1, 'short', true, 'nothing'],
  [-1, 'short', false, 'nothing'],
])('holding %s, towards %s, may be short %s: %s', (held, stance, canShort, expected) => {
  const intent = towards(stance, { position: positionOf(held), amount, canShort }, { reason: 'why', within: '5s', tag: 't' });
  expect(intent ? `${intent.side} ${intent.size.kind}` : 'nothing').toBe(expected);
  if (intent) expect(intent).toMatchObject({ reason: 'why', within: 5_000, tag: 't' });
});
