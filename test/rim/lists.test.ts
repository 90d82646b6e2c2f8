import { expect, test } from 'vitest';
import { runInDialect } from '../dialects/world.ts';
import { otherRun } from '../support/other-run.ts';
import { type Json, otherService, type Ways } from '../support/other-service.ts';

/** A service that has its list of products in another way. */
const listing = (
  change: (list: readonly Json[], asked: { readonly path: string; readonly headers: object }) => { status?: number; body: unknown },
): Ways => ({
  answer(said, asked) {
    if (!asked.path.includes('productDetails')) return said;
    const { status = 200, body } = change(JSON.parse(said.body), asked);
    return { ...said, status, body: JSON.stringify(body) };
  },
});

let lists = 0;
test.each<[string, () => Ways]>([
  ['wraps its list', () => listing((list) => ({ body: { data: list } }))],
  [
    'lists page by page',
    () =>
      listing((list, { path }) => {
        const from = Number(/from=(\d+)/.exec(path)?.[1] ?? 0);
        return {
          body: {
            items: list.slice(from, from + 2),
            next: from + 2 < list.length ? `/mms/v2/productDetails?exchangeCode=VB&from=${from + 2}` : null,
          },
        };
      }),
  ],
  [
    'has no products at first',
    () => {
      lists = 0;
      return listing((list) => {
        lists += 1;
        return { body: lists > 3 ? list : [] };
      });
    },
  ],
  [
    'writes limits as texts with exponents',
    () => listing((list) => ({ body: list.map((one) => ({ ...one, minSize: Number(one.minSize).toExponential() })) })),
  ],
  [
    'shows its list to the API key alone',
    () => listing((list, { headers }) => ('x-api-signature' in headers ? { body: list } : { status: 401, body: { error: 'key' } })),
  ],
  [
    'has null for a limit of another product',
    () => listing((list) => ({ body: list.map((one) => (one.productCode === 'ethusd' ? { ...one, minSize: null } : one)) })),
  ],
])('trades beside a service that %s, and the books are equal', async (what, ways) => {
  const run = await otherRun({ ways: ways() });
  try {
    expect(await run.trades(2), run.notices.join('\n')).toBe(true);
    const { ledger, venue } = await run.books();
    expect(ledger).toEqual(venue);
    if (what.startsWith('has no')) expect(run.notices.join('\n')).toMatch(/lists no products \(exchangeCode=VB\); asked again for 60 s/);
    if (what.startsWith('has null')) expect(run.notices.join('\n')).toMatch(/product ethusd is left out and cannot be traded: minSize/);
  } finally {
    await run.stop();
  }
});

test('a null limit of the one product that is to be traded is one line that names it, after which a process manager starts again', async () => {
  const nulled = listing((list) => ({ body: list.map((one) => (one.productCode === 'btcusd' ? { ...one, sizeIncrement: null } : one)) }));
  const refused = await otherRun({ ways: nulled }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'SERVICE_UNREADABLE',
    exitCode: 1,
    message: expect.stringMatching(/strategy turn: the service lists btcusd, which cannot be traded: sizeIncrement/),
  });
});

test('a list that stays empty for a minute is one line that names the settings, and no order is sent', async () => {
  const empty = listing(() => ({ body: [] }));
  const between = (port: number) => otherService(port, empty);
  const { startFault, executions } = await runInDialect({ dialect: [], set: [], between }, (seen) => seen);
  expect(startFault).toMatch(
    /^the service lists no products \(exchangeCode=VB\), for 60 s; check service\.baseUrl and service\.paths\.products$/,
  );
  expect(executions).toEqual([]);
});
