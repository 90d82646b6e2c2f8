import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { accepted, begin, openJournal, orderFacts, permits, RUN, sent } from '../adapters/journal/rows.ts';
import { SETTINGS } from '../paper-venue/venue-rig.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';
import { believing, EXAMPLE_CERTIFICATE, RealService } from '../support/real-service.ts';

let folder: DaemonFolder;

beforeEach(() => {
  folder = new DaemonFolder('watch');
  folder.write('kairos.yaml', CONFIG);
});

afterEach(async () => {
  await endAll();
  folder.remove();
});

const CONFIG = `strategies:
  - { id: mine, use: ./mine.ts, product: btcusd, amount: { base: 0.01 } }
venue: { quotesPerSecond: 20 }
log: { pretty: true }
# An address of its own: no daemon of another test takes its port between two runs.
ops: { host: 127.0.0.7 }
`;

const mine = (decide: string): string => `import { buy, hold, sell, strategy } from 'kairos/strategy';
import { why } from './why.ts';
export default strategy({ name: 'mine', signals: ({ quotes$ }) => quotes$, decide: (_, { amount, position }) => ${decide} });
`;

/** Writes as editors do: another file, then in place of the old one. */
function replace(name: string, text: string): void {
  renameSync(folder.write(`${name}~`, text), path.join(folder.path, name));
}

test('run --watch: a changed strategy, or what it imports, begins a new run that holds what the old one held', async () => {
  const cwd = folder.path;
  const [buying, selling] = [
    mine('(position.isFlat ? buy(amount, why) : undefined)'),
    mine("(position.isLong ? sell('position', why) : hold(why))"),
  ];
  const [first, last] = ['{ "why": "at first" }\n', '{ "why": "at last" }\n'];
  folder.write('why.ts', "import words from './why.json' with { type: 'json' };\nexport const { why } = words;\n");
  folder.write('why.json', first);
  folder.write('mine.ts', buying);
  const daemon = startKairos(['run', '--watch'], { cwd });
  const reasons = (run: number) =>
    folder.rows<{ why: string }>(
      `SELECT json_extract(detail, '$.why') AS why FROM decisions WHERE kind = 'intent' AND run_id = '${folder.runs()[run]?.run_id}'`,
    );
  await daemon.says(/mine: buy .* accepted/);

  replace('mine.ts', 'const = 3;\n');
  await daemon.says(/the present run goes on: kairos\.yaml:2: strategy mine: use: /);
  expect(folder.runs()).toHaveLength(1);

  // It sells what the run before has bought: books are carried over.
  replace('mine.ts', selling);
  await daemon.says(/mine: sell .* accepted/);
  replace('why.json', last);
  const third = (): true | undefined => (folder.runs().length === 3 ? true : undefined);
  await daemon.until('a third run', third);
  // The page stays where it is open already.
  const pages = await daemon.until('a third banner', ({ stdout }) => {
    const all = stdout.match(/http:\/\/127\.0\.0\.7:\d+(?= \(beside)/g) ?? [];
    return all.length === 3 ? all : undefined;
  });
  expect(new Set(pages).size).toBe(1);
  expect(reasons(0)[0]).toEqual({ why: 'at first' });
  const held = () =>
    folder.rows<{ why: string }>(
      `SELECT json_extract(detail, '$.why') AS why FROM decisions WHERE kind = 'hold' AND run_id = '${folder.runs()[2]?.run_id}'`,
    )[0];
  expect(await daemon.until('its first decision', held)).toEqual({ why: 'at last' });
  const [stopped] = folder.rows<{ who: string; why: string }>(
    "SELECT json_extract(detail, '$.who') AS who, json_extract(detail, '$.why') AS why FROM decisions WHERE kind = 'stopped' ORDER BY seq",
  );
  expect(stopped).toEqual({ who: 'watch', why: expect.stringMatching(/^mine: source [0-9a-f]{12} is now [0-9a-f]{12}$/) });

  daemon.signal('SIGINT');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
  expect(folder.runs().map(({ end_state }) => end_state)).toEqual(['stopped', 'stopped', 'stopped']);
  expect(folder.holder()).toBeNull();
  // Each run replays to the same with the sources that it ran with.
  const sources = [
    [buying, first],
    [selling, first],
    [selling, last],
  ] as const;
  for (const [index, [own, why]] of sources.entries()) {
    folder.write('mine.ts', own);
    folder.write('why.json', why);
    // A process each: one that has loaded a module keeps it, whatever its file says since.
    expect(await runKairos(['parity', folder.runs()[index]?.run_id ?? ''], { cwd })).toMatchObject({ code: 0 });
  }
  expect(await kairosHere(['journal', 'verify'], { cwd })).toMatchObject({ code: 0 });
});

test('run --watch: a change whose code does not end is told once, and the present run goes on', async () => {
  const cwd = folder.path;
  folder.write('why.ts', "export const why = 'so';\n");
  folder.write('mine.ts', mine('(position.isFlat ? buy(amount, why) : hold(why))'));
  const daemon = startKairos(['run', '--watch'], { cwd });
  await daemon.says(/mine: buy .* accepted/);
  replace('why.ts', "export const why = 'not so';\nfor (;;);\n");
  await daemon.says(/the present run goes on: kairos\.yaml:2: strategy mine: use: its module was not loaded within/);
  replace('why.ts', "export const why = 'so again';\n");
  await daemon.says(/a new run begins/);
  daemon.signal('SIGINT');
  const { code, stdout } = await daemon.ended;
  expect([code, stdout.match(/the present run goes on/g)]).toEqual([0, ['the present run goes on']]);
});

test('run --watch: on paper, a strategy that an error of its own had disabled is enabled once its source has changed, and no other', async () => {
  const cwd = folder.path;
  folder.write('why.ts', "export const why = 'so';\n");
  const throwing = (text: string): string => mine(`{ if (position.isFlat) throw new Error('${text}'); return hold(why); }`);
  const buying = mine("(position.isFlat ? buy(amount, why) : hold('held'))");
  const other = (text: string): string =>
    mine(`(amount === undefined ? hold('${text}') : { nonsense: true })`).replace('./why.ts', './also.ts');
  folder.write('also.ts', "export const why = 'so';\n");
  folder.write('mine.ts', throwing('at first'));
  folder.write('other.ts', other('at first'));
  folder.write(
    'kairos.yaml',
    CONFIG.replace('venue:', '  - { id: other, use: ./other.ts, product: ethusd, amount: { base: 0.2 } }\nvenue:'),
  );
  const daemon = startKairos(['run', '--watch'], { cwd });
  const both = () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'disabled'").length === 2 || undefined;
  await daemon.until('both disabled', both);

  replace('mine.ts', buying);
  await daemon.says(/mine: buy .* accepted/);
  await daemon.says(/strategy mine enabled by watch: source [0-9a-f]{12} is now [0-9a-f]{12}/);
  // The other has failed as well, and its source is what it was.
  await daemon.says(/attention +strategy other stays disabled \(by kairos: .*\): \S+kairos\.mjs enable other\n/);
  expect(folder.rows("SELECT strategy, reason, json_extract(detail, '$.who') AS who FROM decisions WHERE kind = 'enabled'")).toEqual([
    { strategy: 'mine', reason: 'SOURCE_CHANGED', who: 'watch' },
  ]);
  daemon.signal('SIGINT');
  const { code, stdout } = await daemon.ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain('strategy mine stays disabled');
  expect(await kairosHere(['parity', 'last'], { cwd })).toMatchObject({ code: 0 });
  expect(await kairosHere(['journal', 'verify'], { cwd })).toMatchObject({ code: 0 });
});

test('a journal that is due is rotated while the daemon runs, by a new run in the same process that goes on at the same addresses', async () => {
  const cwd = folder.path;
  mkdirSync(path.dirname(folder.journal));
  const at = Date.now() - 3_600_000;
  const journal = openJournal(folder.journal);
  begin(journal, RUN, at);
  for (let n = 1; n <= 250; n += 1) {
    const order = orderFacts(n, { side: n % 2 === 1 ? 'buy' : 'sell' });
    journal.commit([...permits(order), sent(order), accepted(order)].map((one) => ({ ...one, at })));
  }
  journal.end(RUN, 'stopped');
  journal.close();
  folder.write('why.ts', "export const why = 'so';\n");
  folder.write('mine.ts', mine('(position.isFlat ? buy(amount, why) : undefined)'));
  // It is due with the rows of the start, and not before.
  folder.write('kairos.yaml', `${CONFIG}journal: { rotate: { decisions: 1001, at: '* * * * * *' } }\n`);
  const daemon = startKairos(['run'], { cwd });
  const pages = await daemon.until('a second banner', ({ stdout }) => {
    const all = stdout.match(/http:\/\/127\.0\.0\.7:\d+(?= \(beside)/g) ?? [];
    return all.length === 2 ? all : undefined;
  });
  expect(new Set(pages).size).toBe(1);
  await daemon.says(/mine: buy .* accepted/);
  expect(await kairosHere(['close', 'mine', '--reason', 'over'], { cwd })).toMatchObject({ code: 0 });
  daemon.signal('SIGINT');
  const { stdout, ...rest } = await daemon.ended;
  expect(rest).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toMatch(/journal\.rotate is due: a new run begins.*\n.*\d+ decisions of earlier runs are in .*archive-\d+ from now on/);
  expect(folder.runs().map(({ end_state }) => end_state)).toEqual(['stopped', 'stopped', 'stopped']);
  expect(folder.files().filter((file) => /archive-\d+$/.test(file))).toHaveLength(1);
  expect(await kairosHere(['journal', 'verify'], { cwd })).toMatchObject({ code: 0 });
  expect(await kairosHere(['parity', 'last'], { cwd })).toMatchObject({ code: 0 });
});

test('a dry run on a real service does so as well, and still sends no order', async () => {
  const venue = await startVenue({ ...SETTINGS, quotesPerSecond: 20, validityMs: 10_000 }, systemTimers);
  const service = await RealService.before(venue.port);
  try {
    const env = { ...believing(folder.write('ca.pem', EXAMPLE_CERTIFICATE)), KAIROS_BASE_URL: service.url };
    folder.write('kairos.yaml', CONFIG.replace(/venue:.*\n/, ''));
    folder.write('why.ts', "export const why = 'so';\n");
    folder.write('mine.ts', mine('(position.isFlat ? buy(amount, why) : undefined)'));
    const daemon = startKairos(['run', '--watch'], { cwd: folder.path, env });
    await daemon.says(/DRY: mine: buy .* accepted/);
    replace('mine.ts', mine("(position.isLong ? sell('position', why) : undefined)"));
    await daemon.says(/DRY: mine: sell .* accepted/);
    daemon.signal('SIGINT');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect(folder.rows('SELECT DISTINCT mode FROM runs')).toEqual([{ mode: 'dry' }]);
    expect(folder.runs()).toHaveLength(2);
    expect(service.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  } finally {
    await endAll();
    await service.stop();
    await venue.close();
  }
});

test('run --live --watch is refused before anything is read', async () => {
  expect(await runKairos(['run', '--live', '--watch'], { cwd: folder.path })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'kairos: --watch: only on paper and dry; restart the daemon to trade live with a changed strategy\n',
  });
});
