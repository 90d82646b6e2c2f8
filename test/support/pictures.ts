import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from './browser.ts';
import { ROOT } from './root.ts';

const PICTURES = path.join(ROOT, 'var', 'pictures');

/** Keeps what is in sight for people to look at, where the variable PICTURES is set: a picture is work for a core. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(path.join(PICTURES, `${name}.png`), await page.picture());
}
