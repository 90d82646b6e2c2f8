import path from 'node:path';
import { expect, test } from 'vitest';
import type { Millis } from '#domain/names.ts';
import type { WhyNotAnswer } from '#domain/why-not.ts';
import { whyNotAnswer } from '#report/why-not.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { silences } from '#research/parity/silence.ts';
import { strategyYaml } from '../../config/support.ts';
import { RECORDED_FROM } from '../../support/synthetic-recording.ts';
import { bench, OFF } from './session-bench.ts';

const module_ = (signals: string, decide: string, more = ''): string => `import { buy, sma, mid, strategy } from 'kairos/strategy';
import { filter } from 'rxjs';
export default strategy({ name: 'x', ${more} signals: ({ quotes$ }) => quotes$.pipe(${signals}), decide: ${decide} });
`;

const MODULES = {
  throws: module_('mid()', "() => { throw new Error('boom'); }"),
  nan: module_('mid()', "() => buy({ base: Number.NaN }, 'in')"),
  quiet: module_('mid()', '() => undefined'),
  late: module_('mid(), sma(20)', '() => undefined', 'warmup: () => ({ quotes: 20 }),'),
  warm: module_('mid()', '() => undefined', 'warmup: () => ({ quotes: 20 }),'),
  cold: module_('mid()', '() => undefined', 'warmup: () => ({ quotes: 100000 }),'),
  span: module_('mid(), filter(() => false)', '() => undefined', "warmup: () => ({ duration: '10s' }),"),
  mute: module_('mid(), filter(() => false)', '() => undefined'),
  once: module_('mid()', "(_, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined)"),
};

/** What a kept backtest of a minute answers, two quotes a second. */
async function kept(use: string) {
  const b = bench(`${strategyYaml({ use })}${OFF}backtest: { latency: 20 }\n`, {}, MODULES);
  const session = await b.open({ to: RECORDED_FROM + 60_000 });
  const file = path.join(b.cwd, 'kept.db');
  keepBacktest(session, session.play(), file);
  const settings = { ...session.config.settings, journal: { ...session.config.settings.journal, path: file } };
  return async (at: Millis | 'last'): Promise<WhyNotAnswer> => {
    const found = await silences({ settings, at, strategy: undefined, folders: { cwd: b.cwd, packaged: b.cwd } });
    const [answer] = found.map(whyNotAnswer);
    if (!answer || found.length > 1) throw new Error('one strategy');
    return answer;
  };
}

const NONE = /^nothing was refused; it asked for no order from 2026-01-05T09:00:00\.000Z to 2026-01-05T09:0[01]:\d\d\.\d+Z: /;

test.each<[string, RegExp, RegExp]>([
  [
    'throws',
    /^nothing was refused; it failed 3 times in this run; it was DISABLED since .*: disabled by kairos: it failed 3 times in a row.*: boom$/,
    /^fix the strategy, and play it again$/,
  ],
  ['nan', /^nothing was refused; .*it was DISABLED since .* buy: the size is not a number \(NaN\)$/, /^fix the strategy/],
  [
    'quiet',
    new RegExp(
      `${NONE.source}decide was called 120 times in this run, first at 2026-01-05T09:00:00\\.\\d+Z, and wanted none in that time$`,
    ),
    /^decide\(\) of the/,
  ],
  ['late', new RegExp(`${NONE.source}decide was called 101 times in this run, first at 2026-01-05T09:00:\\d\\d`), /^decide\(\) of the/],
  [
    'cold',
    /^nothing was refused; it was WARMING_UP, 13 h 45 min left: 120 of 100000 quotes seen$/,
    /^play a longer time, or let warmup\(\)/,
  ],
  ['mute', new RegExp(`${NONE.source}its signals had not emitted; decide was never called$`), /^signals\(\) brought nothing/],
  [
    'once',
    /^nothing was refused; since order \d+-1, accepted at \S+Z, it asked for no order: decide was called \d+ times in this run, first at /,
    /^decide\(\) of the/,
  ],
])('of a backtest without a refusal the last one is answered by what was, of %s', async (use, answer, advice) => {
  const told = await (await kept(use))('last');
  expect(told.answer).toMatch(answer);
  expect(told.advice).toMatch(advice);
});

test.each<[string, RegExp]>([
  [
    'late',
    /: it was warming up \(it sees 20 quotes first\), or its signals had not emitted; decide was first called at 2026-01-05T09:00:(09|10)\.\d+Z$/,
  ],
  ['warm', /: it was warming up \(it sees 20 quotes first\); decide was first called at 2026-01-05T09:00:(09|10)\.\d+Z$/],
  ['cold', /: it was warming up \(it sees 100000 quotes first\); decide was never called$/],
  ['span', /: it was warming up \(it sees 10 s of quotes first\), or its signals had not emitted; decide was never called$/],
  ['mute', /: its signals had not emitted; decide was never called$/],
  ['quiet', /: decide was called, first at 2026-01-05T09:00:00/],
])('early in a backtest %s was asked for no order, and it is said why', async (use, answer) => {
  const told = await (await kept(use))(RECORDED_FROM + 5000);
  expect(told.answer).toMatch(/^it asked for no order from 2026-01-05T09:00:00\.000Z to 2026-01-05T09:00:05\.000Z: /);
  expect(told.answer).toMatch(answer);
});
