import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { endBrowser, withPage } from '../support/browser.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { freePort } from '../support/free-port.ts';
import { startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';

const SETTINGS = `strategies:
  - { id: cross-btc, use: sma-cross, product: btcusd, amount: { base: 0.05 }, params: { fast: 6, slow: 18 }, budget: { usd: 10000 } }
  - { id: coin-eth, use: coin-flip, product: ethusd, amount: { base: 1 }, params: { seed: 7, everySeconds: 9 }, budget: { usd: 10000 } }
  - { id: hold-eur, use: buy-and-hold, product: eurusd, amount: { quote: 5000 }, budget: { usd: 10000 } }
risk: { maxOrderValue: { usd: 6000 } }
venue: { feePercentage: 0.001 }
`;
const ROUND_TRIPS = 16;
const RUN_MS = 600_000;

/** The page of a daemon that trades on paper, as long as it takes until there is something to see. */
export async function pictureOfPage(): Promise<void> {
  const folder = new DaemonFolder('picture');
  folder.write('kairos.yaml', SETTINGS);
  const daemon = startKairos(['run', '--set', `ops.port=${await freePort()}`], { cwd: folder.path });
  try {
    const [, url = ''] = await daemon.says(/page +(http:\S+)/);
    await withPage(async (page) => {
      await page.size(1280, 1000);
      await page.look('dark');
      await page.send('Emulation.setScrollbarsHidden', { hidden: true });
      await page.open(url);
      await page.until(
        'round trips',
        `Number(/of (\\d+) won/.exec(document.querySelector('#trades').innerText)?.[1]) >= ${ROUND_TRIPS}`,
        RUN_MS,
      );
      await page.until('an open position in the chart', "document.querySelector('.market-legend .told b')", RUN_MS);
      // Where the journal lies is of no interest to others.
      await page.value(
        "document.querySelector('.whose b').textContent = 'ann'; document.querySelector('.whose small').textContent = 'var/kairos.db'",
      );
      const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
      writeFileSync(path.join(ROOT, 'docs/images/page.png'), Buffer.from(String(data), 'base64'));
    });
    daemon.signal('SIGINT');
    await daemon.ended;
  } finally {
    await endBrowser();
    folder.remove();
  }
}
