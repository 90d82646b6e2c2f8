import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { partsPage } from '../../scripts/parts.ts';
import { endBrowser, withPage } from '../support/browser.ts';
import { expectReadable, inThemeOfSystem, WIDTHS } from '../support/readable.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kairos-parts-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await endBrowser();
});

test('one page shows all parts, from a file and asking nobody; each can be read', { tags: 'chromium' }, async () => {
  const file = path.join(folder, 'parts.html');
  writeFileSync(file, partsPage());
  const { href } = pathToFileURL(file);
  await withPage(async (page) => {
    await page.open(href);
    await page.until('two charts', "document.querySelectorAll('.chart canvas').length >= 2");
    for (const part of [
      '.swatches',
      '.badge',
      '.facts',
      'meter',
      'table',
      '.rows li',
      '.spark',
      '.empty',
      '[role=alert]',
      '.halt',
      '.choice',
    ])
      expect(await page.value(`document.querySelector('${part}').checkVisibility()`), part).toBe(true);
    const heights = `[...document.querySelectorAll('meter')].map((one) => getComputedStyle(one, '::-webkit-meter-bar').height + ' ' +
      ['optimum', 'suboptimum', 'even-less-good'].map((of) => getComputedStyle(one, \`::-webkit-meter-\${of}-value\`).height).join(' '))`;
    expect(new Set((await page.value(heights)) as string[]), 'bars as high as their ground').toEqual(new Set(['8px 8px 8px 8px']));
    await expectReadable(page, 'parts', WIDTHS, inThemeOfSystem);
    expect([page.errors, page.requests.filter((one) => one !== href && !one.startsWith('data:'))]).toEqual([[], []]);
  });
});
