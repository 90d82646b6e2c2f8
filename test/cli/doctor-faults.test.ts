import { chmodSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { type Ended, endAll, startKairos } from '../support/process.ts';

const GOOD = 'strategies: [{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }]\n';

/** A fault that is planted into a set-up which has traded, and how `kairos doctor` ends and what it says. */
interface Planted {
  readonly plant?: (folder: DaemonFolder) => void;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code?: number;
  readonly finding: RegExp;
}

const sql = (folder: DaemonFolder, text: string): void => {
  const database = new Database(folder.journal);
  database.exec(text);
  database.close();
};

const taken = createServer();
const takenPort = (): string => {
  const address = taken.address();
  return String(typeof address === 'object' && address !== null ? address.port : 0);
};

const FAULTS: Readonly<Record<string, () => Planted>> = {
  'a misspelt setting': () => ({
    plant: (folder) => folder.write('kairos.yaml', `${GOOD}lanes: { reserv: 3 }\n`),
    finding: /^fail +configuration +kairos\.yaml:2: lanes\.reserv.*lanes\.reserve/m,
  }),
  'YAML that is none': () => ({
    plant: (folder) => folder.write('kairos.yaml', 'strategies: [\n'),
    finding: /^fail +configuration +kairos\.yaml:/m,
  }),
  'a secret in YAML': () => ({
    plant: (folder) => folder.write('kairos.yaml', `${GOOD}service: { apiSecret: c2VjcmV0 }\n`),
    finding: /^fail +configuration +kairos\.yaml:2: service\.apiSecret/m,
  }),
  'a file of a secret that others can read': () => ({
    plant: (folder) => chmodSync(folder.write('secret', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n'), 0o644),
    env: { KAIROS_API_SECRET_FILE: 'secret' },
    finding: /^fail +configuration +env KAIROS_API_SECRET_FILE/m,
  }),
  'TLS switched off': () => ({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, finding: /^fail +tls +NODE_TLS_REJECT_UNAUTHORIZED=0/m }),
  'a strategy that does not exist': () => ({
    plant: (folder) => folder.write('kairos.yaml', GOOD.replace('buy-and-hold', 'buy-and-hol')),
    finding: /^fail +strategies +.*buy-and-hol/m,
  }),
  'a strategy that draws random numbers': () => ({
    plant(folder) {
      folder.write('own.ts', 'export default Math.random();\n');
      folder.write('kairos.yaml', GOOD.replace('buy-and-hold', './own.ts'));
    },
    finding: /^fail +strategies +.*own\.ts:1.*random/m,
  }),
  'an amount below the least': () => ({ words: ['--set', 'strategies[0].amount.base=0.000001'], finding: /^fail +products +.*minSize/m }),
  'a product that is not quoted': () => ({ words: ['--set', 'strategies[0].product=nosuch'], finding: /^fail +products +.*nosuch/m }),
  'a service that does not answer': () => ({ words: ['--set', 'service.baseUrl=http://127.0.0.1:1'], finding: /^fail +service +/m }),
  'a service with another time': () => ({
    words: ['--probe'],
    env: { KAIROS_BASE_URL: ahead },
    finding: /^fail +probe +401 .*timestamp.*\n +.*clocks of this machine and of the service differ/im,
  }),
  'a wrong key': () => ({ words: ['--probe'], env: { KAIROS_API_KEY: 'wrong' }, finding: /^fail +probe +401 .*\n +.*KAIROS_API_KEY/m }),
  'somebody else as user': () => ({ words: ['--probe'], env: { KAIROS_USER_ID: '2001' }, finding: /^fail +probe +403/m }),
  'a port that is taken': () => ({ words: ['--set', `ops.port=${takenPort()}`], finding: /^fail +port +127\.0\.0\.1:\d+ cannot be had/m }),
  'a journal that was edited': () => ({
    plant: (folder) => sql(folder, "UPDATE decisions SET detail = '{}' WHERE seq = 1"),
    finding: /^fail +journal +.*decisions row 1/m,
  }),
  'a journal that was cut': () => ({ plant: (folder) => truncateSync(folder.journal, 5000), finding: /^fail +journal +/m }),
  'a journal of somebody else': () => ({
    plant: (folder) => sql(folder, "UPDATE runs SET book = 'live https://x 1'"),
    finding: /^fail +journal +.*belongs to the book "live https:\/\/x 1"/m,
  }),
  'a token that others can read': () => ({
    plant: (folder) => chmodSync(`${folder.path}/var/ops-token`, 0o644),
    finding: /^fail +secret files +.*ops-token.*\n +chmod 600/m,
  }),
  'a halt by file': () => ({
    plant: (folder) => folder.write('var/HALT', 'ann: by hand\n'),
    code: 3,
    finding: /^fail +state +halted by a file.*\n +`kairos resume`/m,
  }),
  'a recordings folder that is a file': () => ({
    plant(folder) {
      rmSync(folder.recordings, { recursive: true });
      folder.write('var/recordings', '');
    },
    words: ['--set', 'recording.dir=var/recordings/deeper'],
    finding: /^fail +recording folder +.*is not a folder/m,
  }),
};

const folders: DaemonFolder[] = [];
const made = (): DaemonFolder => {
  const folder = new DaemonFolder('doctor-faults');
  folders.push(folder);
  return folder;
};

let traded: DaemonFolder;
let service: string;
/** Its clock is two minutes ahead. */
let ahead: string;

/** The command, against one venue for all. */
const doctor = ({ path: cwd }: DaemonFolder, words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
  kairosHere(['doctor', ...words], { cwd, env: { NODE_EXTRA_CA_CERTS: '', KAIROS_BASE_URL: service, ...env } });

async function venueAt({ path: cwd }: DaemonFolder, ...words: readonly string[]): Promise<string> {
  const venue = startKairos(['venue', '--port', '0', '--set', 'venue.database=:memory:', ...words], { cwd });
  const [url] = await venue.says(/http:\/\/[\d.:]+/);
  return url;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  traded = made();
  [service, ahead] = await Promise.all([venueAt(traded), venueAt(traded, '--faults', 'clock-ahead')]);
  traded.write('kairos.yaml', GOOD);
  const run = startKairos(['run'], { cwd: traded.path, env: { KAIROS_BASE_URL: service } });
  await run.says(/accepted/);
  run.signal('SIGINT');
  await run.ended;
});

afterAll(async () => {
  await endAll();
  await new Promise((resolve) => taken.close(resolve));
  for (const folder of folders) folder.remove();
});

describe('each of these faults is named by the doctor, with how to mend it', () => {
  test.each(Object.entries(FAULTS))('%s', async (_fault, planted) => {
    const { plant = () => {}, words = [], env = {}, code = 1, finding } = planted();
    const folder = made();
    folder.take(traded);
    plant(folder);
    const { stdout, ...ended } = await doctor(folder, words, env);
    expect(stdout).toMatch(finding);
    expect(ended).toMatchObject({ code });
    // The line after a finding that is not ok says how to mend it.
    expect(stdout).not.toMatch(/^(fail|warn) .*\n(ok|fail|warn) /m);
  });
});

test('without a fault it has nothing to say', async () => {
  expect(await doctor(traded, ['--probe'], {})).toMatchObject({ code: 0 });
});
