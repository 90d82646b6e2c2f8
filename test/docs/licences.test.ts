import { expect, test } from 'vitest';
import { ALLOWED, lockedPackages } from '../../scripts/reference/licences.ts';

const packages = lockedPackages();
const named = (from: typeof packages): readonly string[] => from.map(({ name, licence }) => `${name}: ${licence}`);
/** True if one of the licences to choose from is allowed. */
const isAllowed = (licence: string): boolean => licence.split(' OR ').some((one) => ALLOWED.includes(one));

test('what an install brings may be run, changed and passed on: no other licence comes in', () => {
  const installed = packages.filter(({ isTool }) => !isTool);
  expect(installed.length).toBeGreaterThan(80);
  expect(named(installed.filter(({ licence }) => !isAllowed(licence)))).toEqual([]);
});

test('tools of other licences are known by name, since nothing of them is passed on', () => {
  const others = packages.filter(({ isTool, licence }) => isTool && !isAllowed(licence));
  expect(named(others)).toEqual([
    '@pm2/js-api: Apache-2',
    'argparse: Python-2.0',
    'axe-core: MPL-2.0',
    'cli-tableau: none',
    'lightningcss: MPL-2.0',
    'lightningcss-*: MPL-2.0',
    'pm2: AGPL-3.0',
    'typed-function: none',
  ]);
});
