/**
 * Makes the picture at the head of README: a day of the paper venue's market, played by the engine that trades, in the report of a backtest. Then
 * that of docs/page.md.
 * `npm run picture`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { withPage } from '../support/browser.ts';
import { runKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { syntheticRecording } from '../support/synthetic-recording.ts';
import { pictureOfPage } from './page-picture.ts';

const DAY_SECONDS = 86_400;
const QUOTES_A_SECOND = 0.1;
const WIDTH = 1000;
const HEIGHT = 800;

const SETTINGS = `strategies:
  - id: cross-btc
    use: sma-cross
    product: btcusd
    amount: { base: 0.1 }
    params: { fast: 180, slow: 720 }
    budget: { usd: 10000 }
recording: { dir: recordings }
lanes: { staleAfter: { btcusd: 1m } }
risk: { maxOrderValue: { usd: 10000 }, maxPositionValue: { usd: 10000 } }
`;

const cwd = mkdtempSync(path.join(tmpdir(), 'kairos-picture-'));
try {
  syntheticRecording({
    dir: path.join(cwd, 'recordings'),
    lanes: ['btcusd 0.1'],
    seconds: DAY_SECONDS,
    quotesPerSecond: QUOTES_A_SECOND,
    feePercentage: 0.01,
    from: Date.UTC(2026, 10, 20),
  });
  writeFileSync(path.join(cwd, 'kairos.yaml'), SETTINGS);
  const { code, stdout, stderr } = await runKairos(['backtest', '--report', 'report.html'], { cwd });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  await withPage(async (page) => {
    await page.size(WIDTH, HEIGHT);
    await page.look('dark');
    await page.send('Emulation.setScrollbarsHidden', { hidden: true });
    await page.open(pathToFileURL(path.join(cwd, 'report.html')).href);
    // The prices with their fills; a picture needs no buttons.
    const card = "[...document.querySelectorAll('section')].find((one) => one.querySelector('h2').textContent === 'Prices and fills')";
    const clip = await page.value(`(() => {
      const card = ${card};
      for (const button of card.querySelectorAll('button')) button.hidden = true;
      const { x, y, width, height } = card.getBoundingClientRect();
      return { x: x + scrollX, y: y + scrollY, width, height, scale: 1.5 };
    })()`);
    const { data } = await page.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip });
    writeFileSync(path.join(ROOT, 'docs/images/day.png'), Buffer.from(String(data), 'base64'));
  });
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
await pictureOfPage();
