import { describe, expect, test } from 'vitest';
import type { ExitRules } from '#core/execution/exits.ts';
import { strategyId } from '#domain/names.ts';
import { btcProduct } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { type Closing, type Holding, OPENED, watched } from './watched.ts';

type Watched = ReturnType<typeof watched>;

/** Would be looked at, if it belonged to the span. */
const BESIDE: Closing = { price: 1, at: 0 };

/** The first of some rows that is to be looked at, counted from 0; as many as there are where none is. */
function first(w: Watched, rows: readonly Closing[], strategy = OWNER): number {
  const columns = w.columns([BESIDE, ...rows, BESIDE]);
  return w.exits.lookAhead(strategy, columns, { span: [1, rows.length + 1], product: btcProduct }) - 1;
}

const at = (seconds: number): number => OPENED + seconds * 1000;

describe('a backtest passes over quotes at which an exit has nothing to do, and over no other', () => {
  test.each<[what: string, Partial<ExitRules>, Holding, before: readonly Closing[], rows: readonly Closing[], looksAt: number]>([
    ['no rule is near', { stopLossPct: 1, takeProfitPct: 1 }, {}, [{ price: 100 }], [{ price: 99.9 }, { price: 99.01 }], 2],
    ['the stop', { stopLossPct: 1 }, {}, [{ price: 100 }], [{ price: 99.01 }, { price: 99 }], 1],
    ['the stop of a short', { stopLossPct: 1 }, { isShort: true }, [{ price: 100 }], [{ price: 100.99 }, { price: 101 }], 1],
    ['a better price', { stopLossPct: 1 }, {}, [{ price: 100.2 }], [{ price: 100.1 }, { price: 100.3 }], 1],
    ['a better price of a short', { stopLossPct: 1 }, { isShort: true }, [{ price: 99.8 }], [{ price: 99.9 }, { price: 99.7 }], 1],
    ['the trailing stop', { trailingPct: 1 }, {}, [{ price: 102 }], [{ price: 100.99 }, { price: 100.98 }], 1],
    ['the trailing stop of a short', { trailingPct: 1 }, { isShort: true }, [{ price: 98 }], [{ price: 98.97 }, { price: 98.98 }], 1],
    [
      'a target that a lower fee brings near, although the price came back',
      { takeProfitPct: 1, net: true },
      {},
      [{ price: 101.15, fee: 0.1 }],
      [
        { price: 101.1, fee: 0.1 },
        { price: 101.1, fee: 0.01 },
      ],
      1,
    ],
    ['a fee where gains count before fees', { stopLossPct: 1 }, {}, [{ price: 100 }], [{ price: 99.5, fee: 1 }], 1],
    ['a fee where they count after it', { stopLossPct: 1, net: true }, {}, [{ price: 100 }], [{ price: 99.5, fee: 1 }], 0],
    [
      'the longest time',
      { maxHoldSeconds: 10 },
      {},
      [{ price: 100 }],
      [
        { price: 99, at: at(9.999) },
        { price: 99, at: at(10) },
      ],
      1,
    ],
    [
      'a peak that has waited for its row for ten seconds',
      { trailingPct: 10, maxHoldSeconds: 60 },
      {},
      [
        { price: 102, at: at(1) },
        { price: 102.5, at: at(2) },
      ],
      [
        { price: 102, at: at(10.999) },
        { price: 102, at: at(11) },
      ],
      1,
    ],
    [
      'the longest time, before a peak has waited',
      { trailingPct: 10, maxHoldSeconds: 5 },
      {},
      [
        { price: 102, at: at(1) },
        { price: 102.5, at: at(2) },
      ],
      [
        { price: 102, at: at(4.999) },
        { price: 102, at: at(5) },
      ],
      1,
    ],
    ['a peak that has its row', { trailingPct: 10 }, {}, [{ price: 102, at: at(1) }], [{ price: 101, at: at(60) }], 1],
    [
      'a position that the price makes too small to close',
      { stopLossPct: 9 },
      { size: '0.0505' },
      [{ price: 100 }],
      [{ price: 98 }, { price: 90 }],
      2,
    ],
    [
      'one that the price has made large enough again',
      { trailingPct: 3 },
      { size: '0.0505' },
      [{ price: 103 }, { price: 98 }],
      [{ price: 90 }, { price: 100 }, { price: 99.91 }],
      1,
    ],
    ['one that can still be closed', { stopLossPct: 9 }, { size: '0.0505' }, [{ price: 100 }], [{ price: 99.5 }], 1],
  ])('%s', (_, rules, holding, before, rows, looksAt) => {
    const w = watched(rules, holding);
    expect(w.closedAt(before)).toBeUndefined();
    expect(first(w, rows)).toBe(looksAt);
    const known = w.rows.deferred.length;
    expect(w.closedAt(rows.slice(0, looksAt)), 'one by one they bring nothing').toBeUndefined();
    expect(w.rows.deferred).toHaveLength(known);
  });

  const rules = { stopLossPct: 1 };
  const far: readonly Closing[] = [{ price: 99.9 }, { price: 99.8 }];

  test('the first quote of a position is looked at: nobody knows its best price', () => {
    const w = watched(rules);
    expect(first(w, far)).toBe(0);
    w.quoted({ price: 100 });
    expect(first(w, far)).toBe(2);
    w.traded(100, '-1');
    w.traded(100, '1', OPENED + 5000);
    expect(first(w, far), 'of the next one, too').toBe(0);
  });

  test('what is due is looked at until the position is closed, and once more then', () => {
    const w = watched(rules);
    expect(w.closedAt([100, 99])).toBe('1 sell STOP_LOSS');
    expect(first(w, far)).toBe(0);
    w.traded(99, '-1');
    expect(first(w, far), 'so that no later position is closed for it').toBe(0);
    w.quoted({ price: 99 });
    expect(first(w, far)).toBe(2);
  });

  test('a position that was closed without an exit is looked at once more, one that is due since before the run as well', () => {
    const w = watched(rules);
    w.quoted({ price: 100 });
    w.traded(100, '-1');
    expect(first(w, far)).toBe(0);
    const restored = watched(rules);
    restored.exits.restore([{ strategy: 's', product: 'btcusd', at: OPENED, reason: 'STOP_LOSS' }]);
    expect(first(restored, far)).toBe(0);
    restored.traded(100, '-1');
    expect(first(restored, far)).toBe(0);
  });

  test('a strategy without exits has none to look at', () => {
    expect(first(watched(rules), far, strategyId('other'))).toBe(2);
  });
});
