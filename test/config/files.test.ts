import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectConfig, loadConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { faultsOf, folder } from './support.ts';

const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

const UNPARSED: readonly [what: string, yaml: string, line: RegExp][] = [
  ['B19 an empty file', '', /^kairos\.yaml: is empty; /],
  ['B19 a file of comments', '# nothing\n', /^kairos\.yaml: is empty; /],
  ['B10 a key twice', 'lanes: { max: 1 }\nlanes: { max: 2 }', /^kairos\.yaml:2: is not valid YAML: Map keys must be unique$/],
  ['B17 a name that the parser itself stumbles over', '*!', /^kairos\.yaml(:1)?: is not valid YAML: \S.*$/],
  ['B17 an alias bomb', BOMB, /^kairos\.yaml: is not valid YAML: its aliases unfold without end; write the values out$/],
  ['B17 an alias of nothing', 'lanes: *nowhere', /^kairos\.yaml(:1)?: is not valid YAML: \S.*$/],
  ['B17 an alias of itself', 'a: &a [*a]', /^kairos\.yaml(:1)?: .+$/],
  ['B12 20,000 lists in each other', '['.repeat(20_000), /^kairos\.yaml(:\d+)?: is not valid YAML: \S.*$/],
  ['B15 two documents', 'lanes: { max: 1 }\n---\nlanes: { max: 2 }', /^kairos\.yaml:\d: is not valid YAML: \S.*$/],
  ['a tab for indentation', 'lanes:\n\tmax: 1', /^kairos\.yaml:2: is not valid YAML: \S.*$/],
  ['a tag of somebody else', 'lanes: { max: !secret 5 }', /^kairos\.yaml:1: is not valid YAML: Unresolved tag: !secret$/],
];

describe('a file that cannot be parsed is refused in one line', () => {
  test.each(UNPARSED)('%s', (_what, yaml, line) => {
    const faults = faultsOf(yaml);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(line);
  });

  test('B14 bytes that are not UTF-8', () => {
    expect(faultsOf(Uint8Array.from([0x61, 0x3a, 0x20, 0xff, 0xfe]))).toEqual(['kairos.yaml: is not UTF-8 text']);
  });

  test('B14 a byte-order mark is nothing to complain about', () => {
    expect(faultsOf('\ufefflanes: { max: 5 }')).toEqual([]);
  });

  test('B19 a file over 1 MiB', () => {
    expect(faultsOf('#'.repeat((1 << 20) + 1))).toEqual(['kairos.yaml: is larger than 1048576 bytes']);
  });
});

describe('B19 what is not a file is refused, and nothing waits for it', () => {
  const only = (cwd: string, file: string): string[] => {
    const result = inspectConfig({ files: [file], env: {}, cwd });
    return 'faults' in result ? result.faults.map(({ line }) => line) : [];
  };

  test('a file that is not there', () => {
    expect(only(folder(), 'nowhere.yaml')).toEqual(['nowhere.yaml: there is no such file']);
  });

  test('a directory', () => {
    const cwd = folder();
    mkdirSync(path.join(cwd, 'kairos.yaml'));
    expect(only(cwd, 'kairos.yaml')).toEqual(['kairos.yaml: is a directory, not a file']);
  });

  test.skipIf(process.platform === 'win32')('a FIFO', () => {
    const cwd = folder();
    execFileSync('mkfifo', [path.join(cwd, 'pipe.yaml')]);
    expect(only(cwd, 'pipe.yaml')).toEqual(['pipe.yaml: is not a regular file']);
  });

  test('a symbolic link to a good file is followed', () => {
    const cwd = folder();
    writeFileSync(path.join(cwd, 'real.yaml'), 'lanes: { max: 7 }');
    symlinkSync(path.join(cwd, 'real.yaml'), path.join(cwd, 'link.yaml'));
    expect(loadConfig({ files: ['link.yaml'], env: {}, cwd }).settings.lanes.max).toBe(7);
  });
});

test('several faults make one line that counts the others', () => {
  const cwd = folder();
  writeFileSync(path.join(cwd, 'kairos.yaml'), 'lanes: { max: 0 }\nnonsense: 1\nrisk: 1');
  const load = () => loadConfig({ env: {}, cwd });
  expect(load).toThrow(KairosError);
  expect(load).toThrow(/^kairos\.yaml:1: lanes\.max: must be .*, not 0 \(and 2 more: run `kairos config check`\)$/);
});
