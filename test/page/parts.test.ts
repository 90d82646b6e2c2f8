import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { partsPage } from '../../scripts/parts.ts';
import { endBrowser, type Page, withPage } from '../support/browser.ts';
import { folderOfTests } from '../support/folder.ts';
import { expectReadable, inThemeOfSystem, WIDTHS } from '../support/readable.ts';

interface DomNode {
  readonly nodeId: number;
  readonly nodeName: string;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
}

/** Where what the browser draws gauges with lies: its top and bottom below the top of its gauge, in pixels. */
async function gaugeParts(page: Page): Promise<readonly string[]> {
  const withParts = (node: DomNode): readonly DomNode[] => [
    ...(node.nodeName === 'METER' || node.attributes?.some((one) => /^-webkit-meter-(bar|.*value)$/.test(one)) ? [node] : []),
    ...[...(node.children ?? []), ...(node.shadowRoots ?? [])].flatMap(withParts),
  ];
  const { root } = (await page.send('DOM.getDocument', { depth: -1, pierce: true })) as { root: DomNode };
  const found: string[] = [];
  let top = 0;
  for (const { nodeId, nodeName } of withParts(root)) {
    const { model } = (await page.send('DOM.getBoxModel', { nodeId })) as { model: { border: readonly number[]; height: number } };
    const y = model.border[1] ?? 0;
    if (nodeName === 'METER') top = y;
    found.push(`${y - top} ${y - top + model.height}`);
  }
  return found;
}

const folder = folderOfTests();
afterAll(endBrowser);

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
      '.market-legend .key.border',
    ])
      expect(await page.value(`document.querySelector('${part}').checkVisibility()`), part).toBe(true);
    expect(new Set(await gaugeParts(page)), 'each fills its gauge').toEqual(new Set(['0 8']));
    const lastCell = "[...document.querySelectorAll('.data td')].at(-1).innerText";
    expect(await page.value(lastCell), 'amounts on lines of their own').toMatch(/^.+sek\n+.+usd$/);
    const heights = "[...document.querySelectorAll('.rows li')].map((one) => one.offsetHeight)";
    expect(Math.max(...((await page.value(heights)) as number[])), 'of words without end a few lines').toBeLessThan(160);
    await expectReadable(page, 'parts', WIDTHS, inThemeOfSystem);
    expect([page.errors, page.requests.filter((one) => one !== href && !one.startsWith('data:'))]).toEqual([[], []]);
  });
});
