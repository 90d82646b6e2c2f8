import { describe, expect, test } from 'vitest';
import { boundInputs, shownInputs } from '#assembly/bound-inputs.ts';
import type { StrategySettings } from '#config/settings.ts';
import { basic, lane, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { instanceOf } from '../support/strategies.ts';

const definition = strategy({
  name: 'pair',
  inputs: { hedge: lane(), ref: basic() },
  signals: ({ quotes$ }) => quotes$,
  decide: () => undefined,
});

const bind = (inputs: StrategySettings['inputs']) => boundInputs(definition, { product: 'btcusd', inputs });

const hedge = { product: 'ethusd', amount: { base: decimalOf('0.1') } };

describe('inputs are bound by the configuration', () => {
  test('a lane to a product and an amount, what is only looked at to the own product unless said', () => {
    const { inputs: bound, faults } = bind({ hedge });
    expect(faults).toEqual([]);
    expect(bound).toEqual({
      hedge: { kind: 'lane', product: 'ethusd', source: 'ethusd@base:0.1' },
      ref: { kind: 'basic', product: 'btcusd', source: 'btcusd@BASIC' },
    });
    const loaded = { strategy: instanceOf(definition, { inputs: bound }) };
    expect(shownInputs([loaded, loaded])).toEqual([{ id: 'btcusd@BASIC', product: 'btcusd', quoteType: 'BASIC' }]);
  });

  test.each<[StrategySettings['inputs'], string]>([
    [{}, 'inputs.hedge: is a lane, so it needs a product and an amount'],
    [{ hedge: { product: 'ethusd', amount: null } }, 'inputs.hedge: is a lane, so it needs a product and an amount'],
    [{ hedge, ref: hedge }, 'inputs.ref: is for display only, so it takes no amount'],
    [{ hedge, refs: hedge }, 'inputs.refs: pair has no such input; it has hedge, ref'],
  ])('%o is refused', (inputs, why) => expect(bind(inputs).faults).toEqual([expect.stringContaining(why)]));
});
