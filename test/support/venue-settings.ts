import type { VenueSettings } from '#paper-venue/settings.ts';

/** A paper venue on a free port that keeps nothing; tests lay over it what they are about. */
export const VENUE_SETTINGS: VenueSettings = {
  host: '127.0.0.1',
  port: 0,
  database: ':memory:',
  brand: 'svc',
  seed: 'test',
  prices: { source: 'synthetic', path: null, product: null, speed: 1, volatility: 1, columns: { time: 'time', bid: 'bid', ask: 'ask' } },
  quotesPerSecond: 2,
  validityMs: 3000,
  feePercentage: 0.1,
  answerDelayMs: 0,
  strategyStepMs: 1000,
  signIn: { totpSecret: null, tokenSeconds: 3600, refreshTokenSeconds: 2_592_000 },
  webhooks: { url: null, timeoutMs: 10_000, freshTimestamp: true, otherUrl: null },
  capabilities: [],
  dialect: [],
  faults: [],
};
