import { BehaviorSubject, from, map, merge, mergeMap, NEVER, Observable, range, Subject, tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { Decided, MarkedStrategy, Outcome } from '#core/strategy/contract.ts';
import { strategy } from '#core/strategy/contract.ts';
import { debounceTime, timer } from '#core/strategy/engine-time.ts';
import { observe } from '#core/strategy/indicators.ts';
import { buy, hold, sell, target } from '#core/strategy/intents.ts';
import { mid } from '#core/strategy/operators/liquidity.ts';
import { thrownBy } from '#core/strategy/origin.ts';
import { Decimal } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode, strategyId } from '#domain/names.ts';
import { btcLane, quoteAt } from '../../support/quotes.ts';
import { HostRig, instanceOf } from '../../support/strategies.ts';

const outcome: Outcome = { at: 0, state: 'refused', reason: 'HALTED', side: 'buy', orderId: undefined, price: undefined, size: undefined };

/** Decides at every mid by `decide`. */
const everyMid = (name: string, decide: (price: number) => Decided): MarkedStrategy =>
  strategy({ name, signals: ({ quotes$ }) => quotes$.pipe(mid()), decide });

/** Buys at every quote. */
const buyer = (name = 'buyer') => everyMid(name, (price) => buy({ base: 0.1 }, `at ${price}`));

function rigOf(...definitions: MarkedStrategy[]): HostRig {
  const rig = new HostRig(definitions.map((definition) => instanceOf(definition)));
  rig.host.start();
  return rig;
}

describe('quotes become intents', () => {
  test('each strategy of the lane is asked, in configuration order; other lanes are not', () => {
    const elsewhere = laneFor(productCode('ethusd'), btcLane.amount);
    const rig = new HostRig([instanceOf(buyer('b')), instanceOf(buyer('other'), { lane: elsewhere.id }), instanceOf(buyer('a'))]);
    rig.host.start();
    rig.host.deliver(quoteAt(100));
    expect(rig.said()).toEqual(['b buy at 100', 'a buy at 100']);
  });

  test('an intent carries observed values and the signal as they stood', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) => quotes$.pipe(mid(), observe('mid'), map(Math.sqrt)),
        decide: (root) => hold(`root ${root}`),
      }),
    );
    rig.host.deliver(quoteAt(100));
    expect(rig.results[0]).toMatchObject({ kind: 'hold', reason: 'root 10', signals: { mid: 100, signal: 10 } });
  });

  test('while an order is in flight decide is not asked, unless the strategy is concurrent', () => {
    const eager = strategy({ ...buyer('eager'), concurrent: true });
    const rig = rigOf(buyer('patient'), eager);
    rig.busy.add('patient').add('eager');
    rig.host.deliver(quoteAt(100));
    expect(rig.said()).toEqual(['eager buy at 100']);
    expect(rig.viewsBuilt).toBe(1);
  });

  test('no view is built for a quote that leads to no signal', () => {
    const rig = rigOf(strategy({ name: 'silent', signals: () => NEVER, decide: () => undefined }));
    rig.host.deliver(quoteAt(100));
    expect(rig.viewsBuilt).toBe(0);
  });

  test('several signals of one quote are decided on in order, each with the values of its time', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) => merge(quotes$.pipe(map(() => 'one')), quotes$.pipe(map(() => 'two'))),
        decide: (signal) => hold(signal),
      }),
    );
    rig.host.deliver(quoteAt(100));
    expect(rig.said()).toEqual(['s hold one', 's hold two']);
  });

  test('a signal at subscription counts, as part of the start', () => {
    const rig = rigOf(strategy({ name: 's', signals: () => new BehaviorSubject('now'), decide: (signal) => hold(signal) }));
    expect(rig.said()).toEqual(['s hold now']);
  });

  test('I25: random numbers are those of the seed and the strategy', () => {
    const draws = (seed: string, name: string) => {
      const rig = new HostRig([
        instanceOf(strategy({ name, signals: ({ quotes$ }) => quotes$, decide: (_q, { random }) => hold(`${random()} ${random()}`) }), {
          seed,
        }),
      ]);
      rig.host.start();
      rig.host.deliver(quoteAt(1));
      return rig.said().join().slice(name.length);
    };
    expect(draws('1', 'a')).toBe(draws('1', 'a'));
    expect(draws('1', 'a')).not.toBe(draws('2', 'a'));
    expect(draws('1', 'a')).not.toBe(draws('1', 'b'));
  });
});

describe('time is the engine', () => {
  test('a timer due at or before a quote fires before it', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) => merge(quotes$.pipe(mid(), debounceTime(10)), quotes$.pipe(map(() => 'quote'))),
        decide: (signal, { now }) => hold(`${signal}@${now}`),
      }),
    );
    rig.quoteAt(0, quoteAt(100));
    rig.quoteAt(9, quoteAt(101));
    rig.quoteAt(19, quoteAt(102));
    expect(rig.said()).toEqual(['s hold quote@0', 's hold quote@9', 's hold 101@19', 's hold quote@19']);
  });

  test('every() counts engine time, and at() says that it cannot where there is no cron', () => {
    const rig = rigOf(
      strategy({ name: 's', signals: ({ every }) => every('1s'), decide: (n, { now }) => hold(`${n}@${now}`) }),
      strategy({ name: 'cron', signals: ({ at }) => at('0 9 * * *'), decide: () => undefined }),
    );
    expect(rig.said().filter((line) => line.startsWith('cron'))[0]).toContain("at('0 9 * * *'): cron times are not available here");
    rig.host.runTimers(2_500);
    expect(rig.said()).toEqual(['s hold 0@1000', 's hold 1@2000']);
  });

  test('at() emits each due time when the engine reaches it', () => {
    const instance = instanceOf(strategy({ name: 's', signals: ({ at }) => at('* * * * *'), decide: (due) => hold(`${due}`) }));
    const nextMinute = (_expression: string, after: number) => (after >= 180_000 ? undefined : (Math.floor(after / 60_000) + 1) * 60_000);
    const rig = new HostRig([instance], nextMinute);
    rig.host.start();
    rig.host.runTimers(500_000);
    expect(rig.said()).toEqual(['s hold 60000', 's hold 120000', 's hold 180000']);
  });

  test('OUTSIDE_EVENT: a strategy that emits after a promise is disabled, and nothing is decided on it', async () => {
    const rig = rigOf(strategy({ name: 's', signals: () => from(Promise.resolve('late')), decide: () => buy({ base: 1 }, 'late') }));
    expect(rig.said()).toEqual([]);
    await Promise.resolve();
    await Promise.resolve();
    expect(rig.said()).toEqual(['s disabled OUTSIDE_EVENT']);
    expect(rig.host.isDisabled(strategyId('s'))).toBe(true);
  });
});

describe('F68: a strategy that fails takes no other with it', () => {
  const failing = (fail: (price: number) => boolean) =>
    strategy({
      name: 'failing',
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          mid(),
          tap((price) => {
            if (fail(price)) throw new Error(`at ${price}`);
          }),
        ),
      decide: (price) => hold(`fine ${price}`),
    });

  test('a throw in a stream is told, the stream begins anew, three in a row disable; the others trade on', () => {
    const rig = rigOf(
      failing((price) => price > 1),
      buyer(),
    );
    for (const price of [1, 2, 3, 4, 5]) rig.host.deliver(quoteAt(price));
    expect(rig.said()).toEqual([
      'failing hold fine 1',
      'buyer buy at 1',
      'failing threw at 2 1',
      'buyer buy at 2',
      'failing threw at 3 2',
      'buyer buy at 3',
      'failing threw at 4 3',
      'failing disabled STRATEGY_DISABLED',
      'buyer buy at 4',
      'buyer buy at 5',
    ]);
  });

  test('a good decision between failures resets the count', () => {
    const rig = rigOf(failing((price) => price % 2 === 0));
    for (let price = 1; price <= 20; price++) rig.host.deliver(quoteAt(price));
    expect(rig.said().filter((line) => line.includes('disabled'))).toEqual([]);
  });

  describe('what it has subscribed by itself is its own as well', () => {
    const selfish = (own: (market: { readonly quotes$: Observable<unknown> }) => void) =>
      strategy({
        name: 'selfish',
        signals: (market) => {
          own(market);
          return market.quotes$.pipe(mid());
        },
        decide: (price) => hold(`fine ${price}`),
      });
    const fail = (): never => {
      throw new Error('own');
    };

    test('a subscriber that throws at every quote counts, although the decisions beside it are good; three disable', () => {
      const rig = rigOf(
        selfish(({ quotes$ }) => quotes$.subscribe(fail)),
        buyer(),
      );
      for (const price of [1, 2, 3, 4]) rig.host.deliver(quoteAt(price));
      expect(rig.said().filter((line) => !line.includes('fine'))).toEqual([
        'selfish threw own 1',
        'buyer buy at 1',
        'selfish threw own 2',
        'buyer buy at 2',
        'selfish threw own 3',
        'selfish disabled STRATEGY_DISABLED',
        'buyer buy at 3',
        'buyer buy at 4',
      ]);
    });

    test('one that throws in a timer, or for an error that it does not look at; none outlives its signals', () => {
      const timers = rigOf(selfish(() => timer(10, 10).subscribe(fail)));
      timers.host.runTimers(100);
      expect(timers.said()).toEqual([
        'selfish threw own 1',
        'selfish threw own 2',
        'selfish threw own 3',
        'selfish disabled STRATEGY_DISABLED',
      ]);
      const errors = rigOf(selfish(({ quotes$ }) => quotes$.pipe(tap(fail)).subscribe()));
      errors.host.deliver(quoteAt(1));
      expect(errors.said()).toContain('selfish threw own 1');
    });

    test('a stream that works on beside it is not told twice after it began anew', () => {
      let seen = 0;
      const rig = rigOf(
        selfish(({ quotes$ }) =>
          quotes$.subscribe(() => {
            seen += 1;
            if (seen === 1) fail();
          }),
        ),
      );
      for (const price of [1, 2, 3]) rig.host.deliver(quoteAt(price));
      expect(seen).toBe(3);
      expect(rig.said()).toEqual(['selfish hold fine 1', 'selfish threw own 1', 'selfish hold fine 2', 'selfish hold fine 3']);
    });
  });

  test('a throw in decide is told, and the signals go on', () => {
    let subscriptions = 0;
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) => {
          subscriptions += 1;
          return quotes$;
        },
        decide: () => {
          throw new Error('decide');
        },
      }),
    );
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['s threw decide 1']);
    rig.host.deliver(quoteAt(1));
    rig.host.deliver(quoteAt(1));
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['s threw decide 2', 's threw decide 3', 's disabled STRATEGY_DISABLED']);
    expect(subscriptions).toBe(1);
  });

  test('a throw in a timer is its own strategy, and no timer of another is lost', () => {
    const at = (name: string, run: () => void) =>
      strategy({
        name,
        signals: ({ quotes$ }) => merge(quotes$.pipe(map(() => 0)), timer(10).pipe(tap(run))),
        decide: (n) => hold(`${n}`),
      });
    const rig = rigOf(
      at('bad', () => {
        throw new Error('timer');
      }),
      at('good', () => undefined),
    );
    rig.host.runTimers(10);
    expect(rig.said()).toEqual(['bad threw timer 1', 'good hold 0']);
  });

  test('signals() that always throws is disabled at the start, without hanging it', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: () => {
          throw new Error('never');
        },
        decide: () => undefined,
      }),
      buyer(),
    );
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['s threw never 1', 's threw never 2', 's threw never 3', 's disabled STRATEGY_DISABLED', 'buyer buy at 1']);
  });

  test('a stream whose clean-up throws too ends all the same', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) =>
          new Observable<number>((subscriber) => {
            subscriber.add(
              quotes$.subscribe(() => {
                subscriber.error(new Error('stream'));
              }),
            );
            return () => {
              throw new Error('clean-up');
            };
          }),
        decide: () => undefined,
      }),
    );
    rig.host.disable(strategyId('s'), 'asked');
    expect(rig.host.isDisabled(strategyId('s'))).toBe(true);
  });

  test("an error of the engine is not taken for the strategy's: it reaches the caller", () => {
    const rig = rigOf(buyer('a'), buyer('b'));
    rig.onResult = () => {
      throw new Error('journal');
    };
    expect(() => rig.host.deliver(quoteAt(1))).toThrow('journal');
    rig.onResult = () => undefined;
    rig.said();
    rig.host.deliver(quoteAt(2));
    expect(rig.said()).toEqual(['a buy at 2', 'b buy at 2']);
  });
});

describe('what decide returns is not trusted', () => {
  const returning = (value: unknown) => everyMid('s', () => value as Decided);

  test.each<[string, unknown, string]>([
    ['a hold among several intents', [buy({ base: 1 }, 'x'), hold('no')], 'intent 2 of 2 is not an intent'],
    ['a bad intent among several', [buy({ base: 1 }, 'x'), 7], 'intent 2 of 2: decide returned 7'],
    ['too many intents', Array(21).fill(buy({ base: 1 }, 'x')), 'the maximum is 20'],
    ['text', 'buy', 'decide returned "buy"'],
    ['an intent without a reason', { ...buy({ base: 1 }, 'x'), reason: '' }, 'without a reason'],
    ['an unknown side', { ...buy({ base: 1 }, 'x'), side: 'BUY' }, 'side is "BUY"'],
    ['an amount without a side', { ...buy({ base: 1 }, 'x'), side: null }, 'must name its side'],
    [
      'B01: an amount of NaN',
      { ...buy({ base: 1 }, 'x'), size: { kind: 'amount', amount: { base: Number.NaN } } },
      'amount is not a number (NaN)',
    ],
    ['B02: an amount that takes seconds', buy({ base: new Decimal('1e1000000') }, 'x'), 'amount is not between'],
    ['B02: the same as text', buy({ base: '1e999' }, 'x'), 'amount is not between'],
    ['B02: the same as a number', buy({ quote: 1e308 }, 'x'), 'amount is not between'],
    ['B02: an amount of a million places', buy({ base: new Decimal('1e-1000000') }, 'x'), 'amount is not between'],
    ['B02: such a target', target(new Decimal('-1e1000000'), 'x'), 'target is not between'],
    ['both amounts', { ...buy({ base: 1 }, 'x'), size: { kind: 'amount', amount: { base: 1, quote: 1 } } }, 'one of base and quote'],
    ['more than all', { ...buy({ base: 1 }, 'x'), size: { kind: 'percent', percent: 101 } }, 'closes 101 %'],
    ['B01: a limit of NaN', { ...buy({ base: 1 }, 'x'), limit: Number.NaN }, 'limit is NaN'],
    ['an unknown option', { ...buy({ base: 1 }, 'x'), withing: 500 }, "has 'withing'"],
    ['B01: a span of NaN', { ...buy({ base: 1 }, 'x'), within: Number.NaN }, 'within is NaN'],
    [
      'B40: a getter that throws',
      {
        get reason() {
          throw new Error('gotcha');
        },
      },
      'throws when it is read: gotcha',
    ],
  ])('%s is refused, and said', (_name, value, why) => {
    const rig = rigOf(returning(value));
    rig.host.deliver(quoteAt(1));
    expect(rig.results).toEqual([expect.objectContaining({ kind: 'bad_intent', why: expect.stringContaining(why) })]);
  });

  test('three in a row disable, so that the journal is not flooded', () => {
    const rig = rigOf(returning(7));
    for (let i = 0; i < 5; i++) rig.host.deliver(quoteAt(1));
    expect(rig.said().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['s bad', 's bad', 's bad', 's disabled']);
  });

  test('F69 B40: a promise is refused at once, and its rejection harms nobody', async () => {
    const rig = rigOf(returning(Promise.reject(new Error('nobody waits'))));
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['s bad decide returned a promise; decisions are made at once, without await', 's disabled BAD_INTENT']);
    await Promise.resolve();
  });

  test('undefined and null are nothing', () => {
    const rig = rigOf(returning(null));
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual([]);
  });
});

describe('outcomes', () => {
  const listening = (decide: (signal: string) => Decided) =>
    strategy({
      name: 's',
      signals: ({ quotes$, outcomes$ }) => merge(quotes$.pipe(map(() => 'quote')), outcomes$.pipe(map(({ state }) => state))),
      decide,
    });

  test('told while an intent is handled, they wait their turn', () => {
    const order: string[] = [];
    const rig = rigOf(
      listening((signal) => {
        order.push(`decide ${signal}`);
        return signal === 'quote' ? buy({ base: 1 }, 'x') : hold(signal);
      }),
    );
    rig.onResult = ({ kind }) => {
      if (kind !== 'intents') return;
      rig.host.outcome(strategyId('s'), outcome);
      order.push('told');
    };
    rig.host.deliver(quoteAt(1));
    expect(order).toEqual(['decide quote', 'told', 'decide refused']);
    expect(rig.said()).toEqual(['s buy x', 's hold refused']);
  });

  test('F71: a strategy that answers each refusal with a new intent cannot hold the event for ever', () => {
    const rig = rigOf(listening(() => buy({ base: 1 }, 'again')));
    rig.onResult = ({ kind }) => {
      if (kind === 'intents') rig.host.outcome(strategyId('s'), outcome);
    };
    rig.host.deliver(quoteAt(1));
    const said = rig.said();
    expect(said.length).toBeLessThan(110);
    expect(said.at(-1)).toContain('more than 100 signals came out of one event');
  });

  test('F71: of 100,000 signals at one quote a hundred are looked at, the loop ends there, and three such quotes disable it', () => {
    let emitted = 0;
    const flood = strategy({
      name: 'flood',
      signals: ({ quotes$ }) => quotes$.pipe(mergeMap(() => range(0, 100_000).pipe(tap(() => (emitted += 1))))),
      decide: () => hold('one of many'),
    });
    const rig = rigOf(flood, buyer());
    for (const price of [1, 2, 3, 4]) rig.host.deliver(quoteAt(price));
    expect(emitted).toBe(303);
    expect(rig.said().filter((line) => !line.endsWith('one of many'))).toEqual([
      'flood threw more than 100 signals came out of one event 1',
      'buyer buy at 1',
      'flood threw more than 100 signals came out of one event 2',
      'buyer buy at 2',
      'flood threw more than 100 signals came out of one event 3',
      'flood disabled STRATEGY_DISABLED',
      'buyer buy at 3',
      'buyer buy at 4',
    ]);
  });

  test('F71: signals and observed values in circles, of a million parts or that throw when read, are kept short', () => {
    const circle: Record<string, unknown> = { n: 1 };
    circle.self = circle;
    const trap = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('trap');
      },
    });
    for (const odd of [circle, Array.from({ length: 1_000_000 }, (_, n) => n), trap, 10n ** 5_000n, 'x'.repeat(5_000_000)]) {
      const rig = rigOf(
        strategy({
          name: 's',
          signals: ({ quotes$ }) =>
            quotes$.pipe(
              map(() => odd),
              observe('odd'),
            ),
          decide: () => hold('held'),
        }),
      );
      rig.host.deliver(quoteAt(1));
      const [result] = rig.results;
      expect(result).toMatchObject({ kind: 'hold', reason: 'held' });
      expect(JSON.stringify(result?.kind === 'hold' && result.signals).length).toBeLessThan(8_500);
    }
  });

  test('F71: a reason, a tag and an error of megabytes are cut at 4 kB, and say so; a name of nothing is refused', () => {
    const long = 'x'.repeat(5_000_000);
    const said = (decide: () => Decided): readonly unknown[] => {
      const rig = rigOf(strategy({ name: 's', signals: ({ quotes$ }) => quotes$, decide }));
      rig.host.deliver(quoteAt(1));
      return rig.results;
    };
    const cut = `${'x'.repeat(4_096)} ... (cut: it had 5000000 characters)`;
    expect(said(() => hold(long))).toMatchObject([{ reason: cut }]);
    expect(said(() => buy({ base: 1 }, long, { tag: long }))).toMatchObject([{ intents: [{ reason: cut, tag: cut }] }]);
    expect(
      said(() => {
        throw new Error(long);
      }),
    ).toMatchObject([{ kind: 'threw' }]);
    expect(thrownBy(new Error(long), undefined)).toMatchObject({ error: cut });
    expect(thrownBy(Object.create(null), undefined)).toMatchObject({ error: 'something that has no text' });
    expect(said(() => buy({ base: '1'.repeat(5_000_000) }, 'big'))).toMatchObject([{ kind: 'threw' }]);
    expect(said(() => buy({ base: 1 }, 'x', { on: long }))).toMatchObject([
      { kind: 'bad_intent', why: expect.stringMatching(/^.{1,4200}$/s) },
    ]);
  });
});

test('F69: what reads the answer, the values and the error of a strategy counts as its code: a getter may never come back', async () => {
  const seen = new Set<string>();
  let call = 0;
  const spy = <T extends object>(name: string, value: T): T =>
    new Proxy(value, {
      get: (target, key) => {
        seen.add(`${name} ${rig.inside}`);
        return Reflect.get(target, key);
      },
    });
  const promised = Object.defineProperty({ ...hold('later') }, 'then', { value: () => seen.add(`then ${rig.inside}`) });
  const rig = rigOf(
    strategy({
      name: 's',
      signals: ({ quotes$ }) =>
        quotes$.pipe(
          map(() => spy('observed', { a: 1 })),
          observe('odd'),
          map(() => spy('signal', { b: 1 })),
        ),
      decide: () => {
        call += 1;
        if (call === 1) return spy('answer', hold('held'));
        if (call === 2) throw spy('error', new Error('x'));
        return promised;
      },
    }),
  );
  for (let quote = 0; quote < 2; quote += 1) rig.host.deliver(quoteAt(1));
  rig.host.observed(strategyId('s'));
  rig.host.deliver(quoteAt(1));
  await Promise.resolve();
  expect([...seen].sort()).toEqual(['answer s', 'error s', 'observed s', 'signal s']);
  expect(rig.said()).toEqual(['s hold held', 's threw x 1', expect.stringContaining('promise'), 's disabled BAD_INTENT']);
});

describe('disable and enable', () => {
  test('F72: a disabled strategy gets nothing, also from its timers, until it is enabled with a clean record', () => {
    let failures = 3;
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$, every }) => merge(quotes$.pipe(map(() => 'quote')), every(10).pipe(map(() => 'timer'))),
        decide: (signal) => {
          if (failures-- > 0) throw new Error('x');
          return hold(signal);
        },
      }),
    );
    for (let i = 0; i < 4; i++) rig.host.deliver(quoteAt(1));
    rig.host.runTimers(1_000);
    expect(rig.said().at(-1)).toBe('s disabled STRATEGY_DISABLED');
    expect(rig.scheduler.pending).toBe(0);
    rig.host.enable(strategyId('s'));
    rig.host.enable(strategyId('s'));
    failures = 2;
    rig.host.deliver(quoteAt(1));
    rig.host.deliver(quoteAt(1));
    rig.host.runTimers(1_010);
    expect(rig.said()).toEqual(['s threw x 1', 's threw x 2', 's hold timer']);
  });

  test('the engine may disable a strategy while it handles its intent: what it emitted besides is dropped', () => {
    const rig = rigOf(
      strategy({
        name: 's',
        signals: ({ quotes$ }) => merge(quotes$, quotes$),
        decide: () => sell('position', 'x'),
      }),
    );
    rig.onResult = () => rig.host.disable(strategyId('s'), 'by a person');
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['s sell x']);
  });

  test('strategies that share a stream of their own are both asked', () => {
    const shared = new Subject<string>();
    const first = strategy({
      name: 'first',
      signals: ({ quotes$ }) => quotes$.pipe(tap(() => shared.next('hi'))),
      decide: () => undefined,
    });
    const second = strategy({ name: 'second', signals: () => shared, decide: (signal) => hold(signal) });
    const rig = rigOf(first, second);
    rig.host.deliver(quoteAt(1));
    expect(rig.said()).toEqual(['second hold hi']);
  });
});

test('two strategies of one name are a mistake of the configuration, not a silent loss', () => {
  expect(() => rigOf(buyer('a'), buyer('a'))).toThrow('two strategies are called a');
});
