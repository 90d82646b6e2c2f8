import { describe, expect, test } from 'vitest';
import { createLog } from '#assembly/log.ts';
import { loadConfig } from '#config/load.ts';
import { folder } from '../config/support.ts';

const SECRET = Buffer.from('never in a log, "quoted" or not').toString('base64');
const PASSWORD = 'pass"word\\with-marks';
const ENV = {
  KAIROS_BASE_URL: 'https://service.example',
  KAIROS_API_SECRET: SECRET,
  KAIROS_API_KEY: 'my-own-key',
  KAIROS_PASSWORD: PASSWORD,
};

function logged(env: NodeJS.ProcessEnv, set: readonly string[] = []): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = [];
  const config = loadConfig({ env, set, cwd: folder() });
  return { log: createLog(config, { write: (line) => void lines.push(line) }), lines };
}

describe('I15 no secret reaches the log', () => {
  test('neither by its name nor inside any text, error or object', () => {
    const { log, lines } = logged(ENV, ['log.pretty=false']);
    log.info({ apiSecret: 'x1', headers: { 'x-api-key': 'x2', authorization: 'x3' }, deep: { in: { token: 'x4' } } }, 'by name');
    log.error({ err: new Error(`refused ${SECRET}`) }, `the answer repeats ${SECRET} and ${PASSWORD}`);
    log.warn({ any: { where: [`my-own-key`, PASSWORD] } });
    const all = lines.join('');
    for (const secret of [SECRET, 'my-own-key', PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), 'x1', 'x2', 'x3', 'x4']) {
      expect(all).not.toContain(secret);
    }
    expect(all).toContain('the answer repeats [set] and [set]');
  });

  test('not in readable lines either', () => {
    const { log, lines } = logged(ENV, ['log.pretty=true']);
    log.error(`the key is ${SECRET}`);
    expect(lines.join('')).toContain('ERROR: DRY: the key is [set]');
  });

  test('the public facts of the paper venue are no secrets, so that lines about paper stay readable', () => {
    const { log, lines } = logged({}, ['log.pretty=false']);
    log.info('a paper venue');
    expect(lines.join('')).toContain('a paper venue');
  });
});

test('log.level decides what is logged, and JSON lines name level, time, and the mode as their first word', () => {
  const { log, lines } = logged({}, ['log.pretty=false', 'log.level=warn']);
  log.info('quiet');
  log.warn('loud');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'PAPER: loud' },
  ]);
});

test('a terminal that takes no output gets what fits in memory, and then how many lines are left out', () => {
  const shown: string[] = [];
  const terminal = { writableLength: 0, write: (line: string) => void shown.push(JSON.parse(line).msg) };
  const log = createLog(loadConfig({ env: {}, set: ['log.pretty=false'], cwd: folder() }), terminal);
  for (const [text, waiting] of [
    ['first', 0],
    ['kept', 900_000],
    ['lost', 2_000_000],
    ['lost too', 1],
    ['last', 0],
  ] as const) {
    terminal.writableLength = waiting;
    log.error(text);
  }
  expect(shown).toEqual(['PAPER: first', 'PAPER: kept', expect.stringMatching(/left out.*: 2$/), 'PAPER: last']);
});
