import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freeIn, storedNow } from '#daemon/run/stored.ts';
import { configOf } from '../../config/support.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

test('a disk that hangs takes one thread of the pool, however often it is looked at, and leaves out its own figures alone', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'kairos.db'), 'a journal');
  const { settings } = configOf(`journal: { path: '${folder}/kairos.db' }\nrecording: { dir: '${folder}/far' }`);
  const { statfs } = fs.promises;
  const back = Promise.withResolvers<void>();
  const asked = vi.spyOn(fs.promises, 'statfs').mockImplementation((async (place: string) => {
    if (place.endsWith('/far')) await back.promise;
    return statfs(folder);
  }) as typeof statfs);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const timers = new VirtualTimers();
  const figures = {
    freeBytes: new Map([
      [folder, expect.any(Number)],
      [`${folder}/far`, null],
    ]),
    journalBytes: 'a journal'.length,
  };
  for (let scrape = 0; scrape < 5; scrape += 1) {
    const looked = storedNow(settings, timers);
    for (const place of [folder, `${folder}/kairos.db`]) await freeIn(place);
    timers.advance(500);
    expect(await looked).toEqual(figures);
  }
  const alert = freeIn(`${folder}/far`);
  expect(asked.mock.calls.filter(([place]) => String(place).endsWith('/far'))).toHaveLength(1);
  back.resolve();
  expect(await alert).toBeGreaterThan(0);
  expect((await storedNow(settings, timers)).freeBytes.get(`${folder}/far`)).toBeGreaterThan(0);
});
