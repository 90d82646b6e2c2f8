import { expect, test } from 'vitest';
import { askAmounts } from '#cli/amounts.ts';

test('what the account holds is asked again until it can be read; Enter alone is no answer', async () => {
  const told: string[] = [];
  const answering = (...lines: string[]) =>
    askAmounts(
      () => Promise.resolve(lines.shift() ?? ''),
      (why) => told.push(why),
    );
  expect(await answering('x', 'btc: 0.1', 'btc=0.1, usd=9200')).toEqual(
    new Map([
      ['btc', '0.1'],
      ['usd', '9200'],
    ]),
  );
  expect(told).toEqual(Array(2).fill('It must be currencies with amounts, each once, such as btc=0.5,usd=9200.'));
  expect(await answering('  ')).toBeNull();
});
