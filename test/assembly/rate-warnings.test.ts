import { expect, test } from 'vitest';
import { rateWarnings, rateWarningsOfPlayed } from '#assembly/rate-warnings.ts';
import { venueWarnings } from '#assembly/start-faults.ts';
import { watchRates } from '#daemon/run/rate-watch.ts';
import { currency, productCode } from '#domain/names.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { configOf, folder, strategyYaml } from '../config/support.ts';
import { bench } from '../research/backtest/session-bench.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const settingsOf = (product: string, risk: string) =>
  configOf(`strategies:\n  - { id: mine, use: sma-cross, product: ${product}, amount: { base: 0.01 } }\nrisk: ${risk}\n`, { cwd: folder() })
    .settings;

const quotesOf = (base: string, quote: string) => ({
  product: productCode(`${base}${quote}`),
  baseCcy: currency(base),
  quoteCcy: currency(quote),
});
const USDT = quotesOf('btc', 'usdt');
const USD = quotesOf('btc', 'usd');
const LACKING =
  /^losses in usdt \(strategy mine\) never stop trading: risk\.maxDayLoss has no figure in it, and no quotes give its rate to usd: write risk: \{ maxDayLoss: \{ usdt: 56, eur: 20, sek: 200, usd: 20 \} \}$/;
const LOSSES = 'maxDayLoss: { usd: 20, eur: 20, sek: 200 }';
const FIVE_K = `{ maxOrderValue: { usdt: 5600, usd: 2000, eur: 2000, sek: 20000 }, ${LOSSES} }`;

const unheldLosses = (...of: Parameters<typeof rateWarnings>): readonly string[] =>
  rateWarnings(...of).flatMap(({ code, text }) => (code === 'LOSSES_WITHOUT_RATE' ? [text] : []));

test('a currency whose losses no limit of a day is held against is told with what to write, in the scale of the other limits', () => {
  const settings = settingsOf('btcusdt', FIVE_K);
  expect(unheldLosses(settings.strategies, settings, [USDT])).toEqual([expect.stringMatching(LACKING)]);
  expect(unheldLosses(settings.strategies, settings, [USDT, USD]), 'a rate by btcusd').toEqual([]);
  const whole = settingsOf('btcusdt', '{ maxDayLoss: { usdt: 20, usd: 20 } }');
  expect(unheldLosses(whole.strategies, whole, [USDT])).toEqual([]);
  const off = settingsOf('btcusdt', '{ maxDayLoss: off }');
  expect(unheldLosses(off.strategies, off, [USDT])).toEqual([]);
});

test('a backtest says it in a headline; without limits there is nothing to say', async () => {
  const linesOf = async (backtest: string): Promise<readonly string[]> => {
    const session = await bench(`${strategyYaml()}risk: { maxDayLoss: { eur: 20 } }\nbacktest: ${backtest}\n`).open();
    return backtestHeadlines(session, session.play()).flatMap(({ code, level, text }) =>
      code === 'LOSSES_WITHOUT_RATE' ? `${level}: ${text}` : [],
    );
  };
  expect(await linesOf('{ latency: 20 }')).toEqual([expect.stringMatching(/^warning: losses in usd \(strategy one\) never stop trading/)]);
  expect(await linesOf('{ latency: 20, limits: off }')).toEqual([]);
});

test('config check tells it of the paper venue, whose products it knows', () => {
  // 140 * 60 / 110 is 76.36363636363637, which nobody would write.
  const [odd] = venueWarnings(settingsOf('btcusd', '{ maxOrderValue: { usd: 140, eur: 110 }, maxDayLoss: { eur: 60 } }'));
  expect(odd?.text).toContain('write risk: { maxDayLoss: { usd: 77, eur: 60 } }');
  const lines = venueWarnings(settingsOf('btcusd', '{ maxDayLoss: { eur: 20 } }')).map(({ text }) => text);
  expect(lines).toEqual([expect.stringMatching(/^losses in usd .* rate to eur: write risk: \{ maxDayLoss: \{ usd: 20, eur: 20 \} \}$/)]);
  expect(venueWarnings(settingsOf('btcusd', '{}'))).toEqual([]);
});

test('a daemon warns once, as soon as every lane has had a quote, or after a minute', () => {
  const { settings } = configOf(
    `strategies:\n${['btcusdt', 'btcusd'].map((code, n) => `  - { id: s${n}, use: sma-cross, product: ${code}, amount: { base: 0.01 } }\n`).join('')}risk: ${FIVE_K}\n`,
    { cwd: folder() },
  );
  const told = (quotes: readonly (typeof USDT)[], ms: number, strategies = settings.strategies): readonly string[] => {
    const timers = new VirtualTimers(0);
    const lines: string[] = [];
    const notice = (level: string, text: string) => {
      if (text.startsWith('losses')) lines.push(`${level}: ${text}`);
    };
    const latest = (lane: string) => quotes.find(({ product }) => lane.startsWith(`${product}@`));
    watchRates({ settings: { ...settings, strategies }, latest, timers, notice });
    timers.advance(ms);
    return lines;
  };
  const alone = settings.strategies.slice(0, 1);
  expect(told([USDT], 5000, alone)).toEqual([expect.stringMatching(/^warn: losses in usdt .* never stop trading/)]);
  expect(told([USDT, USD], 70_000), 'btcusd gives a rate').toEqual([]);
  expect(told([USDT], 30_000), 'the other lane may still give one').toEqual([]);
  expect(told([USDT], 90_000)).toHaveLength(1);
});

const FRANCS = `account: { currency: chf }
strategies:
  - { id: a, use: sma-cross, product: btcusd, amount: { base: 0.01 } }
  - { id: b, use: sma-cross, product: ethsek, amount: { base: 0.1 } }
`;

test('currencies from which no lane leads to that of the account are told in one line, with what follows and what to write', () => {
  const { settings } = configOf(FRANCS, { cwd: folder() });
  const texts = (quoted: readonly (typeof USD)[]) => rateWarnings(settings.strategies, settings, quoted).map(({ text }) => text);
  const both = [USD, quotesOf('eth', 'sek')];
  expect(texts(both)).toEqual([
    'no lane leads from usd and sek (strategies a, b) to account.currency, chf: sums are by currency, and a limit without a figure in usd or sek opens nothing (NO_RATE): write account: { currency: usd }, or account: { rates: [{ product: PRODUCT, amount: { base: N } }] } with a product that leads from usd to chf, or each limit of risk as a group by currency',
  ]);
  expect(texts([...both, quotesOf('usd', 'chf')])).toEqual([expect.stringMatching(/^no lane leads from sek \(strategy b\) to/)]);
  expect(texts([...both, quotesOf('usd', 'chf'), quotesOf('sek', 'chf')])).toEqual([]);
  expect(texts([...both, quotesOf('usd', 'chf'), quotesOf('usd', 'eur'), quotesOf('eur', 'jpy'), quotesOf('sek', 'jpy')])).toEqual([]);
  expect(venueWarnings(settings).map(({ code }) => code)).toEqual(['ACCOUNT_WITHOUT_RATE']);
  const legs = configOf(
    FRANCS.replace(
      'amount: { base: 0.1 } }',
      'amount: { base: 0.1 }, inputs: { hedge: { product: btcusd, amount: { base: 0.1 } } } }',
    ).replace('btcusd, amount: { base: 0.01 }', 'btcchf, amount: { base: 0.01 }'),
    {
      cwd: folder(),
    },
  ).settings;
  expect(
    rateWarnings(legs.strategies, legs, [...both, quotesOf('btc', 'chf')]).map(({ text }) => text),
    'the leg of b is in usd, which btcusd and btcchf lead to chf',
  ).toEqual([expect.stringMatching(/^no lane leads from sek \(strategy b\) to/)]);
  expect(rateWarnings(legs.strategies, legs, both).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^no lane leads from sek and usd \(strategy b\) to/),
  ]);
  const euro = (rates: string) =>
    venueWarnings(configOf(FRANCS.replace('chf', `eur${rates}`).replace('sek', 'usd'), { cwd: folder() }).settings).map(({ code }) => code);
  expect([euro(''), euro(', rates: [{ product: eurusd, amount: { base: 10 } }]')]).toEqual([['ACCOUNT_WITHOUT_RATE'], []]);
  const usd = configOf(FRANCS.replace('chf', 'usd'), { cwd: folder() }).settings;
  expect(rateWarnings(usd.strategies.slice(0, 1), usd, both)).toEqual([]);
});

test('a backtest in one currency has all of its figures in that, and nothing to say of the account', () => {
  const { settings } = configOf(FRANCS, { cwd: folder() });
  const both = [USD, quotesOf('eth', 'sek')];
  expect(rateWarningsOfPlayed(settings.strategies.slice(0, 1), settings, both)).toEqual([]);
  expect(rateWarningsOfPlayed(settings.strategies, settings, both)).toHaveLength(1);
});
