import type { VenueSettings } from '#paper-venue/settings.ts';
import { type Answer, answered, type Rig, rig } from './venue-rig.ts';

/** A venue with somebody signed in, who asks things of its strategies. */
export interface Asker extends Rig {
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

export const AI = {
  strategyType: 'AI',
  accountId: '70312',
  productCode: 'btcusd',
  aiModelVariant: 'VFM6',
  aiModelPositionMode: 'LONG',
  executionType: 'SMO_MPL',
  useInitialModelPrice: false,
  initialBaseCurrencySize: 0.5,
  initialQuoteCurrencyAmount: 10_000,
  desiredNetProfitPercentage: 2,
  useSpikeProtection: true,
  alwaysPassive: true,
  ignoreWarnings: false,
  autoRun: false,
};

export async function asker(overrides: Partial<VenueSettings> = {}): Promise<Asker> {
  return signedIn(await rig({ quotesPerSecond: 1, ...overrides }));
}

export async function signedIn(there: Rig): Promise<Asker> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'paper@example.com', password: 'paper' });
  const login = await fetch(`${there.venue.url}/httpserver/main/v2/auth/login`, { method: 'POST', headers, body });
  const authorization = login.headers.get('authorization') ?? '';
  return {
    ...there,
    async ask(method, path, asked) {
      const url = `${there.venue.url}/strategy-orchestrator/strategies${path}`;
      if (asked === undefined) return answered(await fetch(url, { method, headers: { authorization } }));
      const text = typeof asked === 'string' ? asked : JSON.stringify(asked);
      return answered(await fetch(url, { method, headers: { ...headers, authorization }, body: text }));
    },
  };
}

/** Creates a strategy and returns its id. */
export async function created(there: Asker, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await there.ask('POST', '/action/create', { ...AI, ...changes });
  if (status !== 201) throw new Error(`not created: ${JSON.stringify(body)}`);
  return String(body.strategyId);
}

export interface Found {
  readonly version: number;
  readonly state: Readonly<Record<string, string>>;
  readonly uiParams: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A strategy as `find` shows it; undefined when it is not there. */
export async function found(there: Asker, id: string): Promise<Found | undefined> {
  const { body } = await there.ask('POST', '/find');
  return Object.values(body).find((entry): entry is Found & { strategyId: string } => Object(entry).strategyId === id);
}
