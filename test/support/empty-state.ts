import type { HelloView, StateView } from '#server/page/view.ts';

/** What the page is told of a daemon that holds and watches nothing. `unknowns` tells states apart. */
export function emptyState(unknowns = 0): StateView {
  return {
    at: '2026-01-01T00:00:00.000Z',
    run: 'run-1',
    book: 'paper',
    mode: 'paper',
    sendsOrders: true,
    isForTrials: true,
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
      heldForDayLoss: [],
      drawdown: 0,
      drawdownPct: 0,
      drawdownCurrency: 'usd',
      unrated: [],
      made: [],
      unpriced: [],
      missing: [],
      laneless: [],
      balances: [],
    },
    rateWarnings: [],
    strategies: [],
    otherBooks: [],
    lanes: [],
    orders: [],
    unknowns,
    limits: [],
    signals: [],
    byHand: [],
    remoteTasks: [],
    backtest: null,
  };
}

/** How that daemon names itself. */
export const HELLO: HelloView = {
  name: 'bot',
  journal: '/srv/bot/var/kairos.db',
  instance: 'a1',
  run: 'run-1',
  version: '1',
  mode: 'paper',
  haltCommand: 'kairos halt',
};
