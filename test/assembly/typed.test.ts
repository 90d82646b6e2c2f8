import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { typedIn } from '#assembly/typed.ts';
import { folder } from '../config/support.ts';
import { ROOT } from '../support/root.ts';

const KAIROS = path.join(ROOT, 'bin/kairos.mjs');

test('what a person is told to type runs this Kairos, and never a package of somebody else', () => {
  expect(typedIn(ROOT, '')).toBe('npx kairos');
  expect(typedIn(path.join(ROOT, 'strategies'), '')).toBe('npx kairos');

  const project = folder();
  mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true });
  mkdirSync(path.join(project, 'strategies'));
  expect(typedIn(project, '')).toBe(KAIROS);
  symlinkSync(KAIROS, path.join(project, 'node_modules/.bin/kairos'));
  expect(typedIn(project, '')).toBe('npx kairos');
  expect(typedIn(path.join(project, 'strategies'), '')).toBe('npx kairos');
  // npx looks no further than the nearest package.
  writeFileSync(path.join(project, 'strategies/package.json'), '{}');
  expect(typedIn(path.join(project, 'strategies'), '')).toBe(KAIROS);

  const bin = folder();
  symlinkSync(KAIROS, path.join(bin, 'kairos'));
  expect(typedIn(folder(), `/nowhere:${bin}`)).toBe('kairos');
  const others = folder();
  writeFileSync(path.join(others, 'kairos'), '');
  expect(typedIn(folder(), others)).toBe(KAIROS);
});
