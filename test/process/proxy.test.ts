import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { KEY, SECRET, SETTINGS } from '../paper-venue/venue-rig.ts';
import { connectProxy } from '../support/connect-proxy.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { endAll, runKairos, startKairos } from '../support/process.ts';
import { believing, EXAMPLE_CERTIFICATE, RealService } from '../support/real-service.ts';

let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('proxy');
});
afterEach(async () => {
  await endAll();
  folder.remove();
});

const CONFIG = `mode: live
account: { currency: usd, opening: { usd: 100000 } }
strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, budget: { usd: 50000 }, params: { everySeconds: 1 } }
risk: { maxOrderValue: 5000, maxPositionValue: 20000, maxDayValue: off, maxDayLoss: off, maxDrawdownPct: off, maxOrdersPerMinute: off }
`;

test.each(['http', 'https'])(
  'live trading goes through the %s proxy of the environment: every connection to the service is a tunnel, and loopback is none',
  async (scheme) => {
    const venue = await startVenue({ ...SETTINGS, quotesPerSecond: 10, validityMs: 10_000 }, systemTimers);
    const service = await RealService.before(venue.port);
    const proxy = await connectProxy({ secure: scheme === 'https' });
    const host = scheme === 'https' ? 'service.example' : '127.0.0.1';
    try {
      const env = {
        ...believing(folder.write('ca.pem', EXAMPLE_CERTIFICATE)),
        KAIROS_BASE_URL: service.url,
        KAIROS_USER_ID: '1205',
        KAIROS_API_KEY: KEY,
        // The venue's, spelled otherwise: Kairos refuses the well-known text off loopback.
        KAIROS_API_SECRET: SECRET.replace('=', ''),
        HTTPS_PROXY: `${scheme}://ann:secret@${host}:${proxy.port}`,
      };
      folder.write('kairos.yaml', CONFIG);
      const cwd = folder.path;
      const { stdout } = await runKairos(['doctor', '--probe'], { cwd, env });
      expect(stdout).toMatch(/^ok +proxy +quotes, orders and all other requests go through https?:\/\/[a-z0-9.]+:\d+ \(HTTPS_PROXY\)$/m);
      expect(stdout).toMatch(/^ok +probe /m);
      expect(stdout).not.toContain('secret@');
      const daemon = startKairos(['run', '--live'], { cwd, env });
      await daemon.until('a decision of a strategy', () => folder.rows("SELECT 1 FROM decisions WHERE kind = 'refused'")[0]);
      expect(await runKairos(['arm', '--yes', '--unrehearsed'], { cwd, env })).toMatchObject({ code: 0 });
      await daemon.until('an accepted order', () => folder.accepted());
      // Asked of the daemon on this machine.
      expect((await runKairos(['status'], { cwd, env })).code).toBe(0);
      daemon.signal('SIGINT');
      expect((await daemon.ended).code).toBe(0);
      expect(service.requests.some((line) => line.startsWith('POST '))).toBe(true);
      expect(service.requests.some((line) => line.includes('quotes'))).toBe(true);
      expect(new Set(proxy.asked)).toEqual(new Set([new URL(service.url).host]));
      // No connection reached the service beside its tunnels.
      expect(service.sent.length).toBeLessThanOrEqual(proxy.asked.length);
      expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from('ann:secret').toString('base64')}`]));
    } finally {
      await endAll();
      await proxy.close();
      await service.stop();
      await venue.close();
    }
  },
);

test('a service at an address of IPv6 is asked, listened to and sent orders', async () => {
  const venue = await startVenue({ ...SETTINGS, host: '::1' }, systemTimers);
  try {
    const env = { KAIROS_USER_ID: '1205', KAIROS_API_KEY: KEY, KAIROS_API_SECRET: SECRET };
    const at = ['--set', `service.baseUrl=http://[::1]:${venue.port}`];
    const probe = await runKairos(['doctor', '--probe', ...at], { cwd: folder.path, env });
    expect(probe.stdout).toMatch(/^ok +probe /m);
    const quotes = await runKairos(['quotes', 'btcusd', '--size', '0.01', '--count', '1', ...at], { cwd: folder.path, env });
    expect([quotes.code, quotes.stdout]).toEqual([0, expect.stringContaining('valid until')]);
  } finally {
    await venue.close();
  }
});
