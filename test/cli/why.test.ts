import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted, begun, fillOf, folder, orderFacts, permits, rejected, row, sent, unknown } from '../adapters/journal/rows.ts';
import { printed } from '../support/printed.ts';

const why = (path: string, ...words: string[]): Promise<string> => printed(['why', ...words, '--set', `journal.path=${path}`]);

function written(): string {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const [good, refused, lost] = [orderFacts(1), orderFacts(2), orderFacts(3)];
  journal.commit([...permits(good), sent(good), accepted(good)]);
  journal.commit([...permits(refused), sent(refused), rejected(refused)]);
  const fill = { ...fillOf(lost), price: '61001', value: '610.01' };
  const resolved = row(
    'resolved',
    { who: 'ann', why: 'seen in the account', as: 'accepted', fill },
    { order: lost, reason: 'BY_PERSON', n: 9 },
  );
  journal.commit([...permits(lost), unknown(lost), resolved]);
  journal.close();
  return path;
}

test('an order is told from what the strategy saw to what was booked', async () => {
  const out = await why(written(), '1-1');
  const about = out
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2, 11).trim());
  expect(about.filter((word) => word !== '')).toEqual([
    'der 1-1 i',
    'wanted',
    'saw',
    'on quote',
    'approved',
    'checks',
    'sent',
    'accepted',
    'its text',
    'filled',
    'booked',
  ]);
  for (const part of [
    'order 1-1 is accepted: buy 0.01 btcusd for sma',
    'fast above slow',
    'fast = 1.5, slow = 1.25',
    'passed: spread 0.001 %, at most 0.5 % (risk.maxSpreadPct)',
    'with 2995 ms to live, the signature 1 ms old',
    'answered 201 in 12.5 ms: the service answered with success (HTTP_OK)',
    'exactly as quoted',
    'fill +0.01 BTC, fill \u2212610.005 USD, fee \u22120.610005 USD',
  ])
    expect(out).toContain(part);
});

test('a rejection with the words of the service, and a settled unknown with what differs from the quote', async () => {
  const path = written();
  expect(await why(path, '2-1')).toContain('the service refused the order (HTTP_REFUSED); the quote expired');
  const settled = await why(path, '3-1');
  expect(settled).toContain('nothing is opened in the product, and only what is certain is closed, until');
  expect(settled).toContain('as accepted by ann: seen in the account');
  expect(settled).toContain('not as quoted: price 61001, quoted 61000.5; value 610.01, quoted 610.005');
  expect(JSON.parse(await why(path, '3-1', '--json'))).toMatchObject({
    order: { state: 'accepted' },
    words: expect.any(Array),
    ledger: [{}, {}, {}],
  });
  await expect(why(path, '9-9')).rejects.toThrow(/no order "9-9"/);
});
