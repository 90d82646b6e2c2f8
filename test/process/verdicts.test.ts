import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../adapters/alerts/receiver.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, startKairos } from '../support/process.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';

const PARAMS = 'params: { n: param.int(1, { min: 1, max: 9 }) },';

/** What a user has written, and what becomes of it. */
const PLANTED = {
  throws: `import { param, strategy } from 'kairos/strategy';
import { deep } from './parts/deep';
export default strategy({
  name: 'throws',
  ${PARAMS}
  signals: ({ quotes$ }) => quotes$,
  decide: (quote) => {
    deep(quote.buy.price);
  },
});
`,
  // What is compiled away shifts lines and columns: the place is that of the source.
  'parts/deep': `enum Side {
  Up = 1,
}
export const deep = (price: number): number => {
  const found: { readonly a: Side } | undefined = price > 0 ? undefined : { a: Side.Up };
  return (found as unknown as { a: number }).a;
};
`,
  nan: `import { buy, param, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'nan',
  ${PARAMS}
  signals: ({ quotes$ }) => quotes$.pipe(map((quote) => quote.buy.price * Number('x'))),
  decide: (signal, { amount }) => (signal > 0 ? buy(amount, 'up') : undefined),
});
`,
  never: `import { param, strategy } from 'kairos/strategy';
export default strategy({
  name: 'never',
  ${PARAMS}
  signals: ({ quotes$ }) => quotes$,
  decide: () => undefined,
});
`,
  // What it does depends on how often it was called since it was loaded.
  counts: `import { buy, sell, strategy } from 'kairos/strategy';
let calls = 0;
export default strategy({
  name: 'counts',
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { amount, position }) => {
    calls += 1;
    if (calls > 100 || calls % 7 > 0) return undefined;
    return position.isFlat ? buy(amount, 'in') : sell('position', 'out');
  },
});
`,
};

const THREW = "strategies/parts/deep.ts:6:46: Cannot read properties of undefined (reading 'a')";
const NAN = 'strategies/nan.ts:6:3: the signal is NaN';
const NEVER = 'strategy never never traded';

const folder = new DaemonFolder('verdicts');
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  mkdirSync(path.join(folder.path, 'strategies/parts'), { recursive: true });
  for (const [name, source] of Object.entries(PLANTED)) folder.write(`strategies/${name}.ts`, source);
  const entries = ['throws', 'nan', 'never'].map((id) => `  - { id: ${id}, use: ${id}, product: btcusd, amount: { base: 0.01 } }\n`);
  folder.write('kairos.yaml', `strategies:\n${entries.join('')}`);
  for (const id of ['nan', 'never', 'counts']) {
    folder.write(`${id}.yaml`, `strategies:\n  - { id: ${id}, use: ${id}, product: btcusd, amount: { base: 0.01 } }\n`);
  }
  syntheticRecording({ dir: path.join(folder.path, 'recorded'), lanes: ['btcusd 0.01'], seconds: 300 });
});

afterAll(async () => {
  await endAll();
  await receiver.close();
  folder.remove();
});

const kairos = (...args: readonly string[]) => kairosHere([...args, '--data', 'recorded'], { cwd: folder.path });

/** Text of a page, as a reader sees it. */
const pageText = (file: string): string =>
  readFileSync(path.join(folder.path, file), 'utf8').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

test('a backtest says of each strategy what happened and where, in its lines, its JSON, its page and its journal, and exits with 5', async () => {
  const shown = await kairos('backtest', '--report', 'backtest.html', '--journal', 'kept.db');
  expect(shown.code).toBe(5);
  expect(shown.stderr).toMatch(/^kairos: throws failed: /m);
  const [summary, first, failed, ...rest] = shown.stdout.split('\n');
  expect(summary).toMatch(/^Nothing was traded: .*throws failed/);
  expect(first).toMatch(/^BACKTEST {2}/);
  expect(failed).toMatch(/^FAILED {2}strategy throws: .* \(3 times, first at 2026-01-05T09:.*; disabled at 2026-01-05T09:.*\)$/);
  expect(failed).toContain(THREW);
  expect(rest.find((line) => line.includes(NAN))).toMatch(/\b600 times\b.*2026-01-05T09:00:00/);
  expect(rest.join('\n')).toContain(NEVER);
  for (const words of [THREW, NAN, NEVER]) expect(pageText('backtest.html')).toContain(words);
  expect(shown.stdout).not.toContain(': plays ');
  expect(shown.stderr).toMatch(/^\d+ notes with --notes: /m);

  const json = await kairos('backtest', '--json', '--latency', '50');
  expect(json.code).toBe(5);
  const { headlines, headlineDetails, latency, report } = JSON.parse(json.stdout);
  expect([latency, report.settings.backtest.latency]).toEqual(['fixed, 50 ms each way', 50]);
  expect(headlines.slice(0, 2)).toEqual([first, failed]);
  expect(report.headlines).toEqual(headlines);
  expect(headlineDetails.slice(1, 5).map(({ code, level, strategy }: Record<string, string>) => [code, level, strategy])).toEqual([
    ['STRATEGY_FAILED', 'failed', 'throws'],
    ['NAN_SIGNALS', 'warning', 'nan'],
    ['NEVER_TRADED', 'warning', 'nan'],
    ['NEVER_TRADED', 'warning', 'never'],
  ]);

  const later = await kairosHere(['report', 'last', '--journal', 'kept.db', '--report', 'later.html'], { cwd: folder.path });
  expect(later).toMatchObject({ code: 0, stdout: expect.stringContaining(`${first}\n${failed}\n`) });
  expect(pageText('later.html')).toBe(pageText('backtest.html'));
});

test('a sweep and a walk-forward rank none of them, say why, and exit with 5 where one threw', async () => {
  const swept = await kairos('sweep', '--vary', 'throws.n=1,2', '--report', 'sweep.html', '--out', 'trials.csv');
  expect(swept.code).toBe(5);
  expect(swept.stdout).toContain('2 of 2 trials: FAILED  strategy throws: strategies/parts/deep.ts:6:46');
  expect(swept.stdout).toMatch(/no trial can be ranked.*\b2 failed, 0 never traded/);
  expect(swept.stdout).toMatch(/^None of 2 trials can be ranked: 2 failed, 0 never traded\n/);
  expect(swept.stdout).not.toMatch(/^best: /m);
  expect(pageText('sweep.html')).toContain(`2 of 2 trials: FAILED  strategy throws: ${THREW}`);
  expect(pageText('trials.csv')).toContain('strategies/parts/deep.ts:6:46');
  expect(pageText('trials.csv')).toMatch(/,open,currency,fills,exact,/);
  const json = await kairos('sweep', '--vary', 'throws.n=1,2', '--json');
  expect(json.code).toBe(5);
  expect(JSON.parse(json.stdout)).toMatchObject({
    best: null,
    first: null,
    ranking: { ranked: 0, trials: [{ failed: expect.stringContaining(THREW) }, {}] },
  });

  for (const [id, words] of [
    ['nan', NAN],
    ['never', NEVER],
  ] as const) {
    const idle = await kairos('sweep', '--config', `${id}.yaml`, '--vary', `${id}.n=1,2`);
    expect(idle.code).toBe(0);
    expect(idle.stdout).toContain(words);
    expect(idle.stdout).toMatch(/no trial can be ranked.*\b0 failed, 2 never traded/);
    const walked = await kairos('walk-forward', '--config', `${id}.yaml`, '--vary', `${id}.n=1,2`, '--train', '2m', '--test', '1m');
    expect(walked.code).toBe(0);
    expect(walked.stdout).toContain(words);
    expect(walked.stdout).toMatch(/^2 of 2 folds.*no trial can be ranked/m);
  }
  const walked = await kairos('walk-forward', '--vary', 'throws.n=1,2', '--train', '2m', '--test', '1m', '--json');
  expect(walked.code).toBe(5);
  const { headlines, steps } = JSON.parse(walked.stdout);
  expect(headlines[0]).toContain(`4 of 4 trials: FAILED  strategy throws: ${THREW}`);
  expect(steps).toMatchObject([{ train: null, test: null, why: expect.stringMatching(/^no trial can be ranked/) }, { test: null }]);
});

test('a daemon says it in its log, its journal, an alert, its page, why-not and the report of the run', async () => {
  const options = { cwd: folder.path, env: { KAIROS_ALERTS_HTTP_URL: `${receiver.url}/in` } };
  const daemon = startKairos(['run'], options);
  const disabled = await daemon.until(
    'a disabled strategy',
    () => folder.rows<{ detail: string }>("SELECT detail FROM decisions WHERE kind = 'disabled'")[0],
  );
  expect(JSON.parse(disabled.detail).why).toBe(`it failed 3 times in a row, at last with: ${THREW}`);
  await daemon.until('an alert', () => receiver.received.find(({ body }) => String(body.title).includes(THREW)));
  const [threw] = folder.rows<{ detail: string }>("SELECT detail FROM decisions WHERE kind = 'threw' ORDER BY seq");
  expect(JSON.parse(threw?.detail ?? '{}')).toEqual({
    error: THREW,
    stack: 'at strategies/parts/deep.ts:6:46\nat strategies/throws.ts:8:5',
    inARow: 1,
  });
  const nan = () => folder.rows("SELECT detail ->> 'why' AS why FROM decisions WHERE reason = 'SIGNAL_NAN'")[0];
  expect(await daemon.until('a signal that is no number', nan)).toEqual({ why: expect.stringContaining(NAN) });
  const [, page] = await daemon.says(/page +(http:\S+)/);
  const state = await (await fetch(`${page}/api/state`)).text();
  expect(JSON.parse(state)).toMatchObject({
    strategies: expect.arrayContaining([expect.objectContaining({ id: 'throws', disabled: true })]),
  });
  expect(state).toContain(THREW);
  expect((await kairosHere(['why-not', '--strategy', 'throws'], options)).stdout).toContain(THREW);
  daemon.signal('SIGINT');
  const ended = await daemon.ended;
  for (const words of [`strategy throws threw: ${THREW}`, `strategy nan: ${NAN}`]) expect(ended.stdout + ended.stderr).toContain(words);
  const report = await kairosHere(['report', 'last'], options);
  expect(report.stdout.split('\n').slice(0, 5).join('\n')).toMatch(
    /^Nothing was traded: .*\nPAPER {2}nothing was executed\nFAILED {2}strategy throws: strategies\/parts\/deep\.ts:6:46/,
  );
  expect(report.stdout).toContain(`strategy nan: ${NAN}`);
  expect(report.stdout).toContain(NEVER);
});

test('each of several latencies is a backtest of its own, also of a strategy that keeps a variable', async () => {
  const of = async (latency: string) => {
    const shown = await kairos('backtest', '--config', 'counts.yaml', '--latency', latency, '--json');
    return JSON.parse(shown.stdout).report;
  };
  const both = (await of('20,50')).latencies;
  for (const [n, latency] of ['20', '50'].entries()) {
    const { figures, trades } = await of(latency);
    expect(trades.length).toBeGreaterThan(0);
    expect(both[n]).toEqual({ latencyMs: Number(latency), netProfit: expect.closeTo(figures.netProfit.value, 8), trades: trades.length });
  }
});
