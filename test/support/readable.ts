import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Page } from './browser.ts';
import { keepPicture } from './pictures.ts';
import { ROOT } from './root.ts';

const AXE = path.join(ROOT, 'node_modules/axe-core/axe.min.js');
const RULES = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);

/** Holds that axe finds nothing that keeps somebody from the page: names, roles, order, keys, targets of 24 px. It is work for a core: a daemon beside it is late. */
async function expectReachable(page: Page, name: string): Promise<void> {
  // An installation from before it was needed goes without; in CI it must be there.
  if (!existsSync(AXE) && process.env.CI === undefined) return console.log('axe-core is not installed: npm ci');
  if (!(await page.value("'axe' in globalThis"))) await page.value(`${readFileSync(AXE, 'utf8')}; true`);
  // A page that was scrolled has links half behind its bar.
  const found = await page.value(`(async (y) => {
    scrollTo({ top: 0, behavior: 'instant' });
    const { violations } = await axe.run(document, { runOnly: ${RULES} });
    scrollTo({ top: y, behavior: 'instant' });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary));
  })(scrollY)`);
  expect(found, `axe: ${name}`).toEqual([]);
}

/**
 * An expression for a page: all text in sight that stands out from its ground less than 4.5 to 1 (WCAG 2, contrast minimum), as
 * `ratio text`. Grounds are looked for behind each text; colours are mixed as the browser paints them.
 */
const POOR_CONTRAST = `(() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = (colour.match(/[\\d.]+/g) ?? []).map((one, n) => Number(one) * (n < 3 && colour.startsWith("color(srgb") ? 255 : 1));
    return { r, g, b, a };
  };
  const over = (top, ground) => ({
    r: top.r * top.a + ground.r * (1 - top.a),
    g: top.g * top.a + ground.g * (1 - top.a),
    b: top.b * top.a + ground.b * (1 - top.a),
    a: 1,
  });
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const grounds = new Map([[null, parse(getComputedStyle(document.body).backgroundColor)]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const colour = parse(getComputedStyle(element).backgroundColor);
      grounds.set(element, colour.a === 1 ? colour : over(colour, groundOf(element.parentElement)));
    }
    return grounds.get(element);
  };
  const poor = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const element = node.parentElement;
    if (text === '' || !element.checkVisibility({ visibilityProperty: true }) || element.closest('script, style, .unseen, option')) continue;
    const ground = groundOf(element);
    const [a, b] = [light(over(parse(getComputedStyle(element).color), ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(ratio.toFixed(2) + ' ' + text.slice(0, 60));
  }
  return [...poor];
})()`;

/**
 * An expression for a page: each text in sight that is cut off at its box or at the window, or lies over another one, as `what: text`.
 * What scrolls or ends in an ellipsis on purpose is not cut off; a bar that stays in sight lies over the page by nature.
 */
const MISPLACED = `(() => {
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const layerOf = (element) => element.closest('dialog, .bar, .toast') ?? document.body;
  // Asked of an element or one around it; a page has many texts in few elements.
  const within = (is) => {
    const known = new Map([[null, false]]);
    const ask = (element) => {
      if (!known.has(element)) known.set(element, is(getComputedStyle(element)) || ask(element.parentElement));
      return known.get(element);
    };
    return ask;
  };
  const isUnseen = within(({ clipPath }) => clipPath !== 'none');
  const scrolls = within(
    ({ overflowX, overflowY, textOverflow }) => textOverflow === 'ellipsis' || /auto|scroll/.test(overflowX + overflowY),
  );
  const found = [];
  const texts = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const element = node.parentElement;
    if (text === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('script, style, .unseen, .skip, option, .chart') || isUnseen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const isFree = scrolls(element);
    for (const rect of rects) {
      if (!isFree && (rect.left < -1 || rect.right > innerWidth + 1)) found.push('beyond the window: ' + text.slice(0, 60));
      texts.push({ text, element, rect, layer: layerOf(element), isFree });
    }
    const box = element;
    if (!isFree && /hidden|clip/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth + 1) found.push('cut off: ' + text.slice(0, 60));
  }
  const placed = texts.filter(({ isFree }) => !isFree).sort((a, b) => a.rect.top - b.rect.top);
  for (const [n, a] of placed.entries()) {
    for (let m = n + 1; m < placed.length && placed[m].rect.top < a.rect.bottom - 3; m += 1) {
      const b = placed[m];
      const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left);
      const down = Math.min(a.rect.bottom, b.rect.bottom) - b.rect.top;
      if (a.layer === b.layer && across > 2 && down > 4) found.push('overlap: ' + a.text.slice(0, 40) + ' / ' + b.text.slice(0, 40));
    }
  }
  return [...new Set(found)];
})()`;

const inThemeOfPage = (scheme: 'light' | 'dark'): string =>
  `document.querySelector('.theme').title.startsWith('${scheme === 'light' ? 'dark' : 'light'}')`;

/** For pages that follow the system alone, as reports do. */
export const inThemeOfSystem = (scheme: 'light' | 'dark'): string => `matchMedia('(prefers-color-scheme: ${scheme})').matches`;

/** The widths of a page: phone, tablet, laptop, screen, large screen. */
export const WIDTHS = [360, 768, 1280, 1920, 2560] as const;

/**
 * Holds that the page fits a phone and a screen, that no text is cut off or under another, that all can be read in light and dark, and that
 * axe finds nothing. Ends at 1280 px, light.
 */
export async function expectReadable(
  page: Page,
  name: string,
  widths: readonly number[] = [390, 1280],
  isIn: (scheme: 'light' | 'dark') => string = inThemeOfPage,
): Promise<void> {
  for (const width of widths) {
    await page.size(width, width < 600 ? 844 : 900);
    for (const scheme of ['dark', 'light'] as const) {
      await page.look(scheme);
      await page.until(`${scheme} colours`, isIn(scheme));
      expect(await page.value(POOR_CONTRAST), `${name}, ${width} px, ${scheme}`).toEqual([]);
      await keepPicture(page, `${name}-${width}-${scheme}`);
    }
    // Where things are has nothing to do with their colours.
    expect(await page.value('document.documentElement.scrollWidth - document.documentElement.clientWidth'), `${name}, ${width} px`).toBe(0);
    expect(await page.value(MISPLACED), `${name}, ${width} px`).toEqual([]);
  }
  await page.size(1280, 800);
  await expectReachable(page, name);
}
