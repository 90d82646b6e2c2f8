import { FILLED_STATUSES, type ServiceSettings } from '#adapters/service-client/rest/settings.ts';

export const SECRET = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const API_KEY = '11111111-1111-4111-8111-111111111111';

/** Settings of the service as the paper venue has them, with what a test wants else. */
export function serviceSettings(changes: Partial<ServiceSettings> = {}): ServiceSettings {
  return {
    baseUrl: null,
    brand: 'svc',
    userId: '1205',
    apiKey: API_KEY,
    apiSecret: SECRET,
    token: null,
    username: null,
    password: null,
    totpSecret: null,
    refreshTokenFile: null,
    listAuth: 'auto',
    apiVersion: null,
    paths: {
      quotes: '/svc-broker/public/quotes',
      orders: '/svc-broker/api/orders',
      balances: '/svc-broker/api/balances',
      products: '/mms/v2/productDetails',
      accounts: '/as/v3/accounts',
      login: '/httpserver/main/v2/auth/login',
      strategies: '/strategy-orchestrator/strategies',
    },
    sides: { buy: 'BUY', sell: 'SELL' },
    feeIn: 'quote',
    filledStatuses: FILLED_STATUSES,
    rejectedStatuses: [],
    emptyAnswer: 'accepted',
    ignoredFields: [],
    figureTolerancePct: 1,
    outcomes: {},
    answerMs: 3000,
    capabilities: [],
    ...changes,
  };
}
