import { describe, expect, test } from 'vitest';
import { boundInputs, shownInputs } from '#apps/assembly/bound-inputs.ts';
import type { StrategySettings } from '#config/settings.ts';
import { basic, lane, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { instanceOf } from '../../support/strategies.ts';

const definition = strategy({
  name: 'pair',
  inputs: { hedge: lane(), ref: basic() },
  signals: ({ quotes$ }) => quotes$,
  decide: () => undefined,
});

function bind(inputs: StrategySettings['inputs']) {
  return boundInputs(definition, {
    id: 's',
    use: 'pair',
    product: 'btcusd',
    amount: { base: decimalOf(1) },
    params: {},
    budget: null,
    inputs,
    exits: null,
    windows: null,
    enabled: true,
    origin: 'kairos.yaml:2',
  });
}

const hedge = { product: 'ethusd', amount: { base: decimalOf('0.1') } };

describe('inputs are bound by the configuration', () => {
  test('a lane to a product and an amount, what is only looked at to the own product unless said', () => {
    const bound = bind({ hedge });
    expect(bound).toEqual({
      hedge: { kind: 'lane', product: 'ethusd', source: 'ethusd@base:0.1' },
      ref: { kind: 'basic', product: 'btcusd', source: 'btcusd@BASIC' },
    });
    const loaded = { strategy: instanceOf(definition, { inputs: bound }) };
    expect(shownInputs([loaded, loaded])).toEqual([{ id: 'btcusd@BASIC', product: 'btcusd', quoteType: 'BASIC' }]);
  });

  test.each<[StrategySettings['inputs'], string]>([
    [{}, 'kairos.yaml:2: strategy s: inputs.hedge: is a lane, so it needs a product and an amount'],
    [{ hedge: { product: 'ethusd', amount: null } }, 'inputs.hedge: is a lane, so it needs a product and an amount'],
    [{ hedge, ref: hedge }, 'inputs.ref: is only looked at, so it takes no amount'],
    [{ hedge, refs: hedge }, 'inputs.refs: pair has no such input; it has hedge, ref'],
  ])('%o is refused', (inputs, why) => expect(() => bind(inputs)).toThrow(why));
});
