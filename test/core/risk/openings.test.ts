import { expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { mid, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { quote } from '../../support/market-data.ts';
import { rigsOfTests } from '../../support/rigs.ts';

const idle = strategy({ name: 'idle', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => undefined });

const ROWS = 'SELECT book, kind, currency, amount FROM ledger ORDER BY entry_id';

const rig = rigsOfTests({ strategies: { one: idle } });

const account = (usd: number, btc = 2) =>
  new Map([
    ['usd', decimalOf(usd)],
    ['btc', decimalOf(btc)],
  ]);

test('the first run books what the account holds, and a budget when the currency of its product is known', () => {
  const r = rig({ opening: account(50_000) });
  r.rows();
  expect(r.query(ROWS)).toEqual([
    { book: 'treasury', kind: 'opening', currency: 'usd', amount: '50000' },
    { book: 'treasury', kind: 'opening', currency: 'btc', amount: '2' },
  ]);
  r.quote(quote({ validUntil: r.clock.now() + 3000 }));
  r.price();
  r.rows();
  expect(r.query(`${ROWS} LIMIT 9 OFFSET 2`)).toEqual([
    { book: 'one', kind: 'opening', currency: 'usd', amount: '10000' },
    { book: 'treasury', kind: 'opening', currency: 'usd', amount: '-10000' },
  ]);
  expect(verifyJournal(r.path)).toMatchObject({ ok: true, ledger: 4 });
});

test('a second run books nothing again, and a changed account only the difference', () => {
  const first = rig({ opening: account(50_000) });
  first.quote(quote({ validUntil: first.clock.now() + 3000 }));
  first.crash();
  const second = rig({ opening: account(50_000), folder: first.folder, strategies: { one: idle, two: idle } });
  second.quote(quote({ validUntil: second.clock.now() + 3000 }));
  second.rows();
  expect(second.query(`${ROWS} LIMIT 9 OFFSET 4`)).toEqual([
    { book: 'treasury', kind: 'opening', currency: 'usd', amount: '-10000' },
    { book: 'two', kind: 'opening', currency: 'usd', amount: '10000' },
  ]);
  second.crash();
  const third = rig({ opening: account(60_000), folder: first.folder });
  third.rows();
  expect(third.query(`${ROWS} LIMIT 9 OFFSET 6`)).toEqual([{ book: 'treasury', kind: 'opening', currency: 'usd', amount: '10000' }]);
  expect(verifyJournal(third.path)).toMatchObject({ ok: true });
});
