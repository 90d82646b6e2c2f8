import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { openArenaPage } from '#lab/arena/arena-page.ts';
import { planNamed } from '#lab/arena/film/plan.ts';
import { recordFilm } from '#lab/arena/film/record-film.ts';
import type { Film } from '#lab/arena/server/film.ts';
import { endBrowser, type Page, withPage } from '../support/browser.ts';
import { plainRequest } from '../support/plain-request.ts';
import { expectReadable, inThemeOfSystem, WIDTHS } from '../support/readable.ts';

const DEFECTS = fileURLToPath(new URL('../../src/lab/simulator/defects/preload.ts', import.meta.url));
const drawn = planNamed({ seed: '32', hours: 0.1 });
const plan = { ...drawn, troubles: [{ id: 0, fault: 'F05', from: 30_000, to: 200_000, share: 1, figure: 0 }] } as const;

async function shown(film: Film, use: (page: Page, url: string) => Promise<void>): Promise<void> {
  const arena = await openArenaPage({ port: 0, film: () => JSON.stringify(film), timers: systemTimers });
  try {
    await withPage(async (page) => {
      await page.open(arena.url);
      await page.until('rooms', "document.querySelectorAll('.room dd').length > 4");
      await use(page, arena.url);
      expect(page.errors).toEqual([]);
    });
  } finally {
    await arena.close();
  }
}

afterAll(endBrowser);

const CLOCK = "document.querySelector('.clock').innerText";

describe('the page of the arena', { tags: 'chromium' }, () => {
  test('plays, stands, steps, and jumps to the fault that strikes next; all can be read', async () => {
    const { film } = await recordFilm({ plan, onShare: () => {} });
    await shown(film, async (page) => {
      await page.until('time that goes by', `!${CLOCK}.includes('00:00:00')`);
      await page.click('Next fault');
      await page.until('the strike', "document.querySelector('.service.struck .strike')?.innerText.startsWith('F05')");
      await page.click('Pause');
      expect(await page.value("document.querySelector('.last-fault').innerText")).toContain('What must happen: unknown until then');
      const at = await page.value(CLOCK);
      await page.click('Step');
      await page.until('the next event', `${CLOCK} !== ${JSON.stringify(at)}`);
      expect(await page.value("document.querySelectorAll('.wires circle').length")).toBeGreaterThan(0);
      await expectReadable(page, 'arena', WIDTHS, inThemeOfSystem);
      await page.value("[...document.querySelectorAll('.speeds input')].at(-1).click()");
      await page.click('Play');
      await page.until('its end', "document.querySelector('.verdict')");
      const untried = Number(await page.value("document.querySelectorAll('.lights .unseen-yet').length"));
      expect(untried).toBeGreaterThan(0);
      expect(await page.value("document.querySelector('.verdict').className"), 'no green while rules are untried').toBe('verdict untried');
      expect(await page.value("document.querySelector('.verdict p').innerText")).toContain(`${untried} of `);
      expect(await page.value("document.querySelectorAll('.stage .bad').length"), 'what has stopped is no fault').toBe(0);
    });
  });

  test('a history that breaks an invariant ends there, with the sentence of the invariant and its light out', async () => {
    const { film } = await recordFilm({ plan, onShare: () => {}, preload: [DEFECTS], env: { SIMULATED_DEFECT: 're-serialised-body' } });
    await shown(film, async (page) => {
      await page.value("[...document.querySelectorAll('.speeds input')].at(-1).click()");
      await page.until(
        'its end',
        "document.querySelector('.verdict.breaks h2')?.innerText.startsWith('I12 does not hold: no request contains NaN')",
      );
      expect(await page.value("document.querySelector('.lights .breaks').innerText")).toContain('I12');
      expect(await page.value("document.querySelector('.verdict p').innerText")).toContain('an order has the body');
      await expectReadable(page, 'arena-breaks', [1280], inThemeOfSystem);
    });
  });
});

test('the arena is read-only, and not from another site (I35)', async () => {
  const arena = await openArenaPage({ port: 0, film: () => '{"title":"x"}', timers: systemTimers });
  const ask = async (init: RequestInit) => (await fetch(`${arena.url}/api/film`, init)).status;
  expect([await ask({}), await ask({ method: 'POST' }), await ask({ headers: { origin: 'http://evil.example' } })]).toEqual([
    200, 405, 403,
  ]);
  expect(await plainRequest(`${arena.url}/api/film`, { headers: { host: 'evil.example' } })).toMatchObject({ status: 403 });
  await arena.close();
});
