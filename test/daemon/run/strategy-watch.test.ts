import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { watchStrategies } from '#daemon/run/strategy-watch.ts';
import { KairosError } from '#domain/errors.ts';
import buyAndHold from '../../../strategies/buy-and-hold.ts';
import { newFolder } from '../../support/folder.ts';
import { instanceOf } from '../../support/strategies.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = newFolder();
  file = path.join(folder, 'own.ts');
  write('1');
});

let times = 0;
/** Writes the file, a second later than before by its own clock. */
function write(text: string): void {
  writeFileSync(file, text);
  times += 1;
  utimesSync(file, times, times);
}

const strategy = { ...instanceOf(buyAndHold), budget: null, exits: null, windows: null, enabled: true };
const loaded = (sourceHash: string): readonly LoadedStrategy[] => [{ strategy, sourceHash }];

/** A watch on the file, what it told, and how to let it look. */
function watch(load: () => Promise<readonly LoadedStrategy[]>) {
  const timers = new VirtualTimers();
  const told: string[] = [];
  const stop = watchStrategies({
    strategies: loaded('1'.repeat(64)),
    files: [file],
    load,
    timers,
    onChange: (_, changes) => told.push(...Array.from(changes, ([id, text]) => `${id}: ${text}`)),
    onFault: (line) => told.push(line),
  });
  const look = async (): Promise<readonly string[]> => {
    timers.advance(250);
    await turn();
    return told.splice(0);
  };
  return { look, stop, timers };
}

const CHANGE = 'buy-and-hold: source 111111111111 is now 222222222222';

test('a change is told once it has stood still, with both hashes, and only once', async () => {
  const { look, timers } = watch(async () => loaded('2'.repeat(64)));
  expect(await look()).toEqual([]);
  write('2');
  expect(await look()).toEqual([]);
  write('22');
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([CHANGE]);
  expect(timers.pending).toBe(0);
});

test('a file that was written again as it was is no change', async () => {
  const { look, stop, timers } = watch(async () => loaded('1'.repeat(64)));
  write('1');
  expect([await look(), await look(), await look()]).toEqual([[], [], []]);
  stop();
  expect(timers.pending).toBe(0);
});

test('B40: what cannot be loaded is told once in one line; it is tried again until it can', async () => {
  let missing = true;
  const { look, stop } = watch(async () => {
    if (missing) throw new KairosError('STRATEGY_INVALID', 'own.ts:1: there is no file ./part.ts to import\nand more');
    return loaded('2'.repeat(64));
  });
  write('2');
  await look();
  expect(await look()).toEqual(['own.ts:1: there is no file ./part.ts to import']);
  expect(await look()).toEqual([]);
  missing = false;
  expect(await look()).toEqual([CHANGE]);
  stop();
});

test('a file that is gone is a change that cannot be loaded', async () => {
  const { look, stop } = watch(async () => {
    throw new KairosError('STRATEGY_NOT_FOUND', 'own.ts does not exist');
  });
  rmSync(file);
  await look();
  expect(await look()).toEqual(['own.ts does not exist']);
  stop();
});
