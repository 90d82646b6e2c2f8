import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  accepted,
  begun,
  fillOf,
  folder,
  openJournal,
  orderFacts,
  permits,
  RUN,
  rejected,
  row,
  START,
  sent,
  unknown,
} from '../adapters/journal/rows.ts';
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

test('an order that waited tells when it was decided, and how long it waited until it was tried', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const leg = { lane: 'btcusd@base:0.01', product: 'btcusd', side: 'buy', size: { kind: 'percent', percent: 100 } } as const;
  const work = (name: string, n: number) =>
    row(
      'working',
      {
        ...{ work: name, lasting: false, onLegFailure: 'keep', signals: {} },
        legs: [{ ...leg, reason: 'fast above slow', tag: null, limit: 61_000, within: 60_000, on: null }],
      },
      { strategy: 'sma', n },
    );
  const of = (n: number, name: string) => {
    const [intent, approved] = permits(orderFacts(n));
    if (intent?.kind !== 'intent' || approved === undefined) throw new Error('no intent');
    return [{ ...intent, detail: { ...intent.detail, work: `${name}/0` } }, approved];
  };
  journal.commit([work('1-1', 1), work('4-1', 4), work('4-10', 5), ...of(34, '4-1'), sent(orderFacts(34)), accepted(orderFacts(34))]);
  journal.commit([work('40-1', 40), ...of(40, '40-1')]);
  journal.close();
  const waited = await why(path, '34-1');
  expect(waited).toContain('for sma, decided 2026-11-21T03:00:04.000Z');
  expect(waited).toMatch(/^ {2}waited {4}30 s since the decision, and was tried at 2026-11-21T03:00:34\.000Z$/m);
  expect(waited).toContain('(1000 ms after it was tried)');
  const atOnce = await why(path, '40-1');
  expect(atOnce).toContain('ms left at the decision');
  expect(atOnce).not.toContain('waited');
});

test('in dry mode nothing is told as sent, and no answer as that of a service', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = openJournal(path, { book: 'dry' });
  journal.beginRun({ run: RUN, at: START, mode: 'dry', version: '0.1.0', configHash: 'c0ffee', configJson: '{}' });
  const [good, refused] = [orderFacts(1), orderFacts(2)];
  journal.commit([...permits(good), sent(good), accepted(good)]);
  journal.commit([...permits(refused), sent(refused), rejected(refused)]);
  journal.close();
  const said = await why(path, '1-1');
  expect(said).toMatch(/^ {2}dry mode {2}nothing was sent: it would have left \S+Z with 2995 ms to live; the answer is Kairos's own$/m);
  expect(said).toMatch(/^ {2}accepted {2}in this process, by the quote that it named \(1000 ms after the decision\)$/m);
  expect(await why(path, '2-1')).toMatch(/^ {2}rejected {2}in this process, by the quote that it named; the quote expired/m);
  for (const id of ['1-1', '2-1']) expect(await why(path, id)).not.toMatch(/first byte|answered|the service/);
});
