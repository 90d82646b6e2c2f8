import { merge } from 'rxjs';
import { type Decided, type MarkedStrategy, type StrategyDefinition, strategy, type View } from '#core/strategy/contract.ts';
import { signal } from '#core/strategy/inputs.ts';
import { buy, close, sell, target } from '#core/strategy/intents.ts';
import { param } from '#core/strategy/params.ts';
import { mischief } from './mischief.ts';

/** When a strategy throws and floods, in seconds of engine time since 1970; 0 for never. Depends on inbox and parameters only. */
const TROUBLE = {
  throwFrom: param.number(0),
  throwTo: param.number(0),
  floodFrom: param.number(0),
  floodTo: param.number(0),
} as const;

type Rule = (view: View, pace: number, random: number, scalePct: number) => Decided;

const isDuring = (view: View, from: number, to: number): boolean => view.now >= from * 1000 && view.now < to * 1000;

/** A strategy that trades by a rule once in a number of quotes, and misbehaves as its parameters say. */
function trader(name: string, rule: Rule): MarkedStrategy {
  const params = { ...TROUBLE, pace: param.int(5, { min: 1 }), scalePct: param.int(50, { min: 1, max: 100 }) };
  const definition: StrategyDefinition<typeof params> = {
    name,
    params,
    signals: ({ quotes$, every }, { floodFrom }) => (floodFrom > 0 ? merge(quotes$, every('250ms')) : quotes$),
    decide: (_, view, { pace, scalePct, throwFrom, throwTo, floodFrom, floodTo }) => {
      mischief.hooks.called();
      const random = view.random();
      if (isDuring(view, throwFrom, throwTo)) {
        mischief.hooks.misbehaved('F68');
        throw new Error('it was drawn to throw');
      }
      if (isDuring(view, floodFrom, floodTo)) {
        mischief.hooks.misbehaved('F71');
        return buy(view.amount, 'by the dozen');
      }
      return rule(view, pace, random, scalePct);
    },
  };
  return strategy(definition);
}

/** Buys and sells in turn. */
const eager = trader('eager', ({ position, amount }, pace, random) => {
  if (random * pace >= 1) return undefined;
  return position.isFlat ? buy(amount, 'in') : sell('position', 'out');
});

/** Adds to its position, and now and then sells all. */
const pyramid = trader('pyramid', ({ position, amount }, pace, random) => {
  if (random * pace >= 1) return undefined;
  return random * pace > 0.85 && !position.isFlat ? sell('position', 'enough') : buy(amount, 'more');
});

/** Buys and sells at random, also short if allowed. */
const rover = trader('rover', ({ position, amount, canShort }, pace, random) => {
  if (random * pace >= 1) return undefined;
  if (random * pace < 0.5) return buy(amount, 'up');
  return canShort || position.isLong ? sell(canShort ? amount : 'position', 'down') : undefined;
});

/** Buys, and closes share by share. */
const scaler = trader('scaler', ({ position, amount }, pace, random, scalePct) => {
  if (random * pace >= 1) return undefined;
  return position.isFlat || random * pace > 0.8 ? buy(amount, 'some') : close(random * pace > 0.6 ? 100 : scalePct, 'a share');
});

/** Asks for amounts that no standing lane has, whatever came of it before. */
const shifter = trader('shifter', ({ position, amount }, pace, random, scalePct) => {
  if (random * pace >= 2) return undefined;
  if (!position.isFlat) return random * pace > 1 ? close(scalePct, 'a share') : undefined;
  return 'base' in amount ? buy({ base: amount.base.times(2) }, 'twice as much') : buy(amount, 'in');
});

/** Goes either way by targets, closes by words that leave the side open, or name the wrong one, and tries some orders for seconds. */
const turner = trader('turner', ({ position, amount, canShort }, pace, random, scalePct) => {
  const drawn = random * pace;
  if (drawn >= 1) return undefined;
  const options = drawn < 0.6 ? {} : ({ within: '6s' } as const);
  if (position.isFlat) return canShort && drawn % 0.2 < 0.1 ? sell(amount, 'short', options) : buy(amount, 'long', options);
  if (drawn < 0.15) return position.isLong ? buy('position', 'the wrong way') : sell('position', 'the wrong way');
  if (drawn < 0.4) return close(scalePct, 'a share', options);
  if (drawn < 0.7 || !('base' in amount)) return target(0, 'out', options);
  return target(position.isLong && canShort ? amount.base.negated() : amount.base, 'about', options);
});

/** Does what the last signal from outside says; `more` ends at the limits. */
const follower = strategy({
  name: 'follower',
  inputs: { model: signal({ schema: { side: ['buy', 'sell', 'more'] }, staleAfter: '20s' }) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { inputs: { model }, position, amount }) => {
    mischief.hooks.called();
    if (!model) return undefined;
    if (model.value.side === 'sell') return position.isLong ? sell('position', model.id) : undefined;
    return model.value.side === 'more' || position.isFlat ? buy(amount, model.id) : undefined;
  },
});

/** The simulator's own strategies by the names that a plan has for them. */
export const TRADERS: Readonly<Record<string, MarkedStrategy>> = { eager, follower, pyramid, rover, scaler, shifter, turner };
