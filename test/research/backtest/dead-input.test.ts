import { expect, test } from 'vitest';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';
import { bench, OFF, ofKind } from './session-bench.ts';

/** Buys at every tenth quote of its own product once its input had one, and sells five quotes later. */
const WATCHES = `import { buy, lane, sell, strategy } from 'kairos/strategy';
import { map, withLatestFrom } from 'rxjs';
export default strategy({
  name: 'watches',
  inputs: { other: lane() },
  signals: ({ quotes$, inputs }) => quotes$.pipe(map((_quote, n) => n), withLatestFrom(inputs.other), map(([n]) => n)),
  decide: (n, { position, amount }) =>
    position.isFlat ? (n % 10 === 0 ? buy(amount, 'in') : undefined) : n % 10 === 5 ? sell('position', 'out') : undefined,
});
`;

const YAML = `${strategyYaml({ use: 'watches', inputs: '{ other: { product: ethusd, amount: { base: 0.1 } } }' })}${OFF}backtest: { latency: 20 }\n`;

test('nothing is opened on the frozen price of an input that has ended, exits pass, and the head names it', async () => {
  const b = bench(YAML, { seconds: 240 }, { watches: WATCHES });
  syntheticRecording({ dir: b.dir, run: 'run-2', lanes: ['ethusd 0.1'], seconds: 62 });
  const session = await b.open();
  const run = session.play();
  const silentFrom = RECORDED_FROM + 62_000 + 10_000;
  const bought = ofKind(run, 'accepted').filter(({ detail }) => detail.fill.side === 'buy');
  const sold = ofKind(run, 'accepted').filter(({ detail }) => detail.fill.side === 'sell');
  // Two quotes a second: a purchase each five seconds until ten seconds after the input's last quote.
  expect(bought.length).toBeGreaterThan(12);
  expect(bought.filter(({ at }) => at > silentFrom)).toEqual([]);
  expect(sold).toHaveLength(bought.length);
  expect(new Set(ofKind(run, 'refused').map(({ reason }) => reason))).toEqual(new Set(['INPUT_STALE']));
  expect(session.headlines.filter(({ code }) => code === 'PARTLY_QUOTED').map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^ethusd, an input of strategy one, has quotes only from 2026-01-05T09:00:00\.\d+Z to 2026-01-05T09:01:0[12]\.\d+Z: /,
    ),
  ]);
});
