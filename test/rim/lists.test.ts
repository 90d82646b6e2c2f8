import { expect, test } from 'vitest';
import { runInDialect } from '../dialects/world.ts';
import { otherRun } from '../support/other-run.ts';
import { type Json, otherService, type Ways } from '../support/other-service.ts';

/** A service that has its list of products in another way. */
const listing = (change: (list: readonly Json[]) => { readonly body: unknown }): Ways => ({
  answer(said, asked) {
    if (!asked.path.includes('productDetails')) return said;
    return { ...said, body: JSON.stringify(change(JSON.parse(said.body)).body) };
  },
});

let lists = 0;
test.each<[string, Ways, RegExp]>([
  [
    'has no products at first',
    listing((list) => {
      lists += 1;
      return { body: lists > 3 ? list : [] };
    }),
    /lists no products \(exchangeCode=VB\); asked again for 60 s/,
  ],
  [
    'has null for a limit of another product',
    listing((list) => ({ body: list.map((one) => (one.productCode === 'ethusd' ? { ...one, minSize: null } : one)) })),
    /product ethusd is left out and cannot be traded: minSize/,
  ],
])('trades beside a service that %s, and says so', async (_what, ways, line) => {
  const run = await otherRun({ ways });
  try {
    expect(await run.trades(2), run.notices.join('\n')).toBe(true);
    expect(run.notices.join('\n')).toMatch(line);
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
