import type { StateView } from '#server/page/view.ts';

/** What the page is told of a daemon that holds and watches nothing. `unknowns` tells states apart. */
export function emptyState(unknowns = 0): StateView {
  return {
    at: '2026-01-01T00:00:00.000Z',
    run: 'run-1',
    book: 'paper',
    mode: 'paper',
    version: '1',
    startedAt: '2026-01-01T00:00:00.000Z',
    phase: 'running',
    service: 'http://127.0.0.1:1',
    embedded: true,
    pid: 1,
    notReady: [],
    halted: false,
    trading: 'ACTIVE',
    time: { reason: null, offsetMs: 0, halfWidthMs: 0, ageMs: 0, words: null },
    waitUntil: null,
    waitingExits: [],
    money: {
      currency: 'usd',
      equity: null,
      profit: 0,
      profitOfRun: 0,
      profitOfDay: 0,
      profitForDayLoss: 0,
      drawdown: 0,
      drawdownPct: 0,
      unrated: [],
      missing: [],
      balances: [],
    },
    strategies: [],
    otherBooks: [],
    lanes: [],
    orders: [],
    unknowns,
    limits: [],
    byHand: [],
    remoteTasks: [],
  };
}
