import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { controlFiles, readHalt } from '#adapters/journal/control-files.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { kairosHere } from '../../support/kairos-here.ts';
import { endAll, startKairos } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`;

let folder: DaemonFolder;
afterEach(async () => {
  await endAll();
  folder.remove();
});

/** A daemon with a position, what it is asked over HTTP, and its journal as another program holds it. */
async function trading() {
  folder = new DaemonFolder('held-journal');
  folder.write('kairos.yaml', CONFIG);
  const daemon = startKairos(['run'], { cwd: folder.path });
  await daemon.until('a position', () => folder.accepted());
  const files = controlFiles(folder.journal);
  const { url } = publishedIn(files.ops) ?? {};
  const headers = { authorization: `Bearer ${readFileSync(files.token, 'utf8').trim()}`, 'content-type': 'application/json' };
  const post = async (act: string, body: object = {}): Promise<unknown> =>
    (await fetch(`${url}/api/${act}`, { method: 'POST', headers, body: JSON.stringify({ who: 'ann', why: act, ...body }) })).json();
  const state = async (): Promise<unknown> => (await fetch(`${url}/api/state`)).json();
  const hold = (): (() => void) => {
    const other = new Database(folder.journal);
    other.exec('BEGIN EXCLUSIVE');
    return () => other.close();
  };
  return { files, post, state, hold };
}

const rows = (...kinds: readonly string[]): readonly string[] =>
  folder
    .rows<{ kind: string }>(`SELECT kind FROM decisions WHERE kind IN (${kinds.map((kind) => `'${kind}'`)}) ORDER BY seq`)
    .map(({ kind }) => kind);

test('F49 I07: the answer to a halt says that it is not journaled while another program holds the journal, and a file keeps it', async () => {
  const { files, post, state, hold } = await trading();
  const free = hold();
  expect(await post('halt')).toEqual({ act: 'halt', who: 'ann', why: 'halt', journaled: false });
  expect(await state()).toMatchObject({ trading: 'HALTED' });
  expect([readHalt(files.halted), rows('halted')]).toEqual([{ who: 'ann', why: 'halt' }, []]);
  free();
  await waitFor(() => rows('halted')[0]);
  expect(await post('halt', { why: 'again' })).toMatchObject({ journaled: true });
});

test('F49 while another program holds the journal what stops acts at once and says so, what releases is refused, and exits follow', async () => {
  const { post, state, hold } = await trading();
  const kairos = (...words: string[]) => kairosHere(words, { cwd: folder.path });
  const free = hold();
  expect(await post('pause', { strategy: 'keep' })).toMatchObject({ act: 'pause', strategy: 'keep', journaled: false });
  expect(await state()).toMatchObject({ strategies: [{ id: 'keep', paused: true }] });
  expect(await kairos('pause')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^paused: all strategies[\s\S]*not journaled yet: /),
  });
  expect(await post('resume', { strategy: 'keep' })).toMatchObject({ message: expect.stringContaining('nothing was done') });
  const close = { strategy: 'keep', pct: 50 };
  expect(await post('close', close)).toMatchObject({ journaled: false, parts: [{ book: 'keep', wants: 'close 50 %', state: 'working' }] });
  expect(await kairos('flatten', '--yes', '--no-wait')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^flatten: not journaled yet: /),
  });
  expect(await state()).toMatchObject({ trading: 'REDUCING', strategies: [{ position: '0.01' }] });
  expect(await post('halt')).toMatchObject({ journaled: false });
  expect(await post('flatten', { resume: true })).toMatchObject({ message: expect.stringContaining('nothing was done') });
  const told = ['paused', 'paused', 'by_hand', 'by_hand', 'reducing', 'halted'];
  expect(rows(...told)).toEqual([]);
  free();
  await waitFor(() => rows(...told).length === told.length || undefined);
  expect(rows(...told)).toEqual(told);
  expect(await kairos('resume')).toMatchObject({ code: 0 });
  await waitFor(() => rows('by_hand_end')[1]);
  expect(await state()).toMatchObject({ strategies: [{ position: '0' }] });
});
