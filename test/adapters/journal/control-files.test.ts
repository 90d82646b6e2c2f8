import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  changeOf,
  controlFiles,
  haltByFile,
  haltsSeen,
  identityOf,
  isTaken,
  leaveHalt,
  readHalt,
  removeHalt,
  removeOwnHalt,
  resumedFrom,
  standingHalt,
  writeFacts,
  writeHalt,
} from '#adapters/journal/control-files.ts';
import { folder, START } from './rows.ts';

const NOTE = { who: 'ann', why: 'news' };
/** Writes a file anew with the time of before, as `cp -p` does once the clock of the disk has gone on. */
function copyAgain(file: string): void {
  const { ctimeMs, mtime } = statSync(file);
  const text = readFileSync(file);
  while (statSync(file).ctimeMs === ctimeMs) {
    writeFileSync(file, text);
    utimesSync(file, mtime, mtime);
  }
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('control files lie beside the journal, those of all daemons of the folder without its name', () => {
  const dir = folder();
  const files = {
    halt: join(dir, 'kairos.db.halt'),
    haltOfAll: join(dir, 'HALT'),
    haltByName: join(dir, 'HALT'),
    resumed: join(dir, 'kairos.db.resumed'),
    halted: join(dir, 'kairos.db.halted'),
    stall: join(dir, 'kairos.db.stall'),
    failed: join(dir, 'kairos.db.failed'),
    ops: join(dir, 'kairos.db.ops'),
    token: join(dir, 'ops-token'),
  };
  expect(controlFiles(join(dir, 'kairos.db'))).toEqual(files);
  const haltOfAll = resolve('var', 'HALT');
  expect(controlFiles(':memory:')).toMatchObject({ haltOfAll, haltByName: haltOfAll, ops: resolve('var', 'kairos.db.ops') });
});

describe('the file of a halt', () => {
  test('says who and why, whole at once, for the owner alone, also in a folder that is not there yet', () => {
    const file = join(folder(), 'deep', 'var', 'HALT');
    writeHalt(file, NOTE, START);
    expect(readHalt(file)).toEqual(NOTE);
    expect(readFileSync(file, 'utf8')).toBe('{"who":"ann","why":"news","at":"2026-11-21T03:00:00.000Z"}\n');
    expect([modeOf(file), modeOf(join(file, '..')), readdirSync(join(file, '..'))]).toEqual(['600', '700', ['HALT']]);
    writeHalt(file, { ...NOTE, why: 'again' }, START);
    expect(readHalt(file)).toEqual({ ...NOTE, why: 'again' });
  });

  test('F46 is there, if empty, where its text cannot be written', () => {
    const file = join(folder(), 'HALT');
    mkdirSync(`${file}.${process.pid}`);
    writeHalt(file, NOTE, START);
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['', '600']);
    expect(readHalt(file)).toEqual({ who: 'file', why: `the file ${file} exists` });
  });

  test.each([
    ['a line by hand', 'power cut\nback at five', 'power cut'],
    ['lines behind empty ones', '\n\n power cut\nback at five\n', 'power cut'],
    ['null', 'null', 'null'],
    ['a number', '7', '7'],
    ['JSON without who', '{"why":"x"}', '{"why":"x"}'],
    ['JSON without why', '{"who":"x"}', '{"who":"x"}'],
    ['a who that is no text', '{"who":1,"why":"x"}', '{"who":1,"why":"x"}'],
    ['a why that is no text', '{"who":"x","why":null}', '{"who":"x","why":null}'],
    ['a book', 'x'.repeat(5000), 'x'.repeat(2000)],
  ])('halts with any content: %s', (_, text, why) => {
    const file = join(folder(), 'HALT');
    writeFileSync(file, text);
    expect(readHalt(file)).toEqual({ who: 'file', why });
  });

  test('halts where it is something else, or nobody can tell whether it is there', () => {
    const dir = folder();
    const loop = join(dir, 'loop');
    symlinkSync(loop, loop);
    symlinkSync(join(dir, 'nowhere'), join(dir, 'link'));
    mkdirSync(join(dir, 'HALT'));
    for (const file of ['HALT', 'loop/HALT', 'loop', 'link'].map((name) => join(dir, name))) {
      expect(readHalt(file)).toEqual({ who: 'file', why: `${file} exists and cannot be read` });
    }
    expect(readHalt(join(dir, 'none'))).toBeUndefined();
    const looping = { haltOfAll: join(loop, 'HALT'), haltByName: join(loop, 'HALT') };
    expect(standingHalt({ ...controlFiles(join(dir, 'sub', 'kairos.db')), ...looping })?.file).toBe(join(loop, 'HALT'));
    for (const file of ['HALT', 'loop', 'link']) expect(identityOf(join(dir, file))).toMatch(/^\d+ \d+$/);
  });

  test('is asked for where a folder has its name: that halts as it is, and a resume takes it away', () => {
    const dir = folder();
    const files = controlFiles(join(dir, 'kairos.db'));
    mkdirSync(join(files.halt, 'within'), { recursive: true });
    writeHalt(files.halt, NOTE, START);
    expect([readdirSync(dir), standingHalt(files)?.file]).toEqual([['kairos.db.halt'], files.halt]);
    removeHalt(files);
    expect([readdirSync(dir), standingHalt(files)]).toEqual([[], undefined]);
  });

  test('of one journal goes with its receipt; that of all stays, and stands again when it is written anew', () => {
    const dir = folder();
    const [one, other] = ['one.db', 'other.db'].map((name) => controlFiles(join(dir, name)));
    if (!one || !other) throw new Error('two journals');
    expect([[...resumedFrom(one)], haltsSeen(one)]).toEqual([[[one.haltOfAll, undefined]], new Map()]);
    removeHalt(one);
    for (const file of [one.halt, one.halted, one.haltOfAll]) writeHalt(file, NOTE, START);
    expect(standingHalt(one)).toEqual({ file: one.halt, ...NOTE });
    removeHalt(one);
    expect(readdirSync(dir).sort()).toEqual(['HALT', 'one.db.resumed']);
    expect([standingHalt(one), standingHalt(other)]).toEqual([undefined, { file: one.haltOfAll, ...NOTE }]);
    writeHalt(one.haltOfAll, { ...NOTE, why: 'again' }, START);
    expect(standingHalt(one)).toMatchObject({ why: 'again' });
    utimesSync(one.haltOfAll, 1_000, 1_000);
    removeHalt(one);
    expect(standingHalt(one)).toBeUndefined();
    copyAgain(one.haltOfAll);
    expect(standingHalt(one)).toMatchObject({ why: 'again' });
    rmSync(one.haltOfAll);
    removeHalt(one);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('of all is one in the folder of the journal, and one in that of a link by which it is named', () => {
    const dir = folder();
    symlinkSync('disk/kairos.db', join(dir, 'kairos.db'));
    mkdirSync(join(dir, 'disk'));
    writeFileSync(join(dir, 'disk/kairos.db'), '');
    const files = controlFiles(join(dir, 'kairos.db'));
    for (const file of [join(dir, 'HALT'), join(dir, 'disk/HALT')]) {
      writeHalt(file, NOTE, START);
      expect(standingHalt(files)).toEqual({ file, ...NOTE });
      removeHalt(files);
      expect(standingHalt(files)).toBeUndefined();
    }
    writeHalt(join(dir, 'HALT'), { ...NOTE, why: 'again' }, START);
    expect(standingHalt(files)).toMatchObject({ why: 'again' });
  });

  test('stays where it came after those that were seen', () => {
    const files = controlFiles(join(folder(), 'kairos.db'));
    for (const file of [files.halt, files.haltOfAll, files.halted]) writeHalt(file, NOTE, START);
    const seen = haltsSeen(files);
    writeHalt(files.halt, { who: 'bob', why: 'again' }, START);
    writeHalt(files.haltOfAll, { who: 'bob', why: 'and all' }, START);
    removeHalt(files, seen);
    expect([readHalt(files.halt), existsSync(files.halted)]).toEqual([{ who: 'bob', why: 'again' }, false]);
    removeHalt(files, haltsSeen({ ...files, haltOfAll: files.token, haltByName: files.token }));
    expect(standingHalt(files)).toEqual({ file: files.haltOfAll, who: 'bob', why: 'and all' });
  });
});

test('a halt by file is latched for whoever looks while no daemon has journaled it, from when the file was written', () => {
  const files = controlFiles(join(folder(), 'kairos.db'));
  const halted = { kind: 'halted', strategy: null, since: START, ...NOTE, reason: null } as const;
  expect(haltByFile(files, [])).toEqual([]);
  writeHalt(files.halt, NOTE, START);
  utimesSync(files.halt, 1_000, 1_000);
  const byFile = [{ kind: 'halted', strategy: null, since: 1_000_000, ...NOTE }];
  expect([haltByFile(files, []), haltByFile(files, [{ ...halted, kind: 'paused' }, halted])]).toEqual([byFile, []]);
  expect(haltByFile(files, [{ ...halted, kind: 'paused' }])).toEqual(byFile);
});

test('a halt counts as taken where the receipt of the watchdog names this very file, and no other', () => {
  const files = controlFiles(join(folder(), 'kairos.db'));
  const taken = () => isTaken(files, files.halt);
  writeFacts(files.halted, { of: [] });
  expect(taken()).toBe(false);
  writeHalt(files.halt, NOTE, START);
  const mark = changeOf(files.halt);
  const receipts = [{ of: ['1 2', mark] }, { of: ['1 2'] }, { of: mark }, {}, null];
  const seen = receipts.map((receipt) => {
    writeFacts(files.halted, receipt as object);
    return taken();
  });
  rmSync(files.halted);
  expect([...seen, taken()]).toEqual([true, false, false, false, false, false]);
});

test('a halt that was not seen is not touched, one that is gone by itself is no failure, and one that gives no way is told', () => {
  const files = controlFiles(join(folder(), 'kairos.db'));
  const inTheWay = `${files.halt}.ended`;
  mkdirSync(inTheWay);
  writeHalt(files.halt, NOTE, START);
  const seen = haltsSeen(files);
  removeOwnHalt(files, new Map());
  expect(() => removeOwnHalt(files, seen)).toThrow();
  expect(readHalt(files.halt)).toEqual(NOTE);
  rmSync(files.halt);
  removeOwnHalt(files, seen);
});

test('a halt that could not be journaled waits for the next start, in few words; that it cannot be kept either throws nothing', () => {
  const files = controlFiles(join(folder(), 'kairos.db'));
  leaveHalt(files, { who: 'ann', why: `disk full ${'x'.repeat(900)}` }, START);
  expect(readHalt(files.halted)).toEqual({ who: 'ann', why: `disk full ${'x'.repeat(490)}` });
  const nowhere = { ...files, halted: join(files.halted, 'below a file') };
  leaveHalt(nowhere, NOTE, START);
  expect(existsSync(nowhere.halted)).toBe(false);
});
