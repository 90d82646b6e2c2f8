import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { Troubles } from '#lab/simulator/plan/troubles.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import type { EventHistory } from '#lab/simulator/world/history.ts';
import type { SimulatedMachine } from '#lab/simulator/world/machine.ts';
import type { World } from '#lab/simulator/world/world.ts';
import type { ServiceTime } from './service-time.ts';

/** What the parts of a simulated world share. */
export interface Scene {
  readonly world: World;
  readonly machine: SimulatedMachine;
  readonly plan: SimulationPlan;
  readonly troubles: Troubles;
  readonly draws: Draws;
  readonly history: EventHistory;
  readonly time: ServiceTime;
  readonly dialect: Dialect;
}

/** Who the user is at the simulated service. */
export const USER = {
  id: '1205',
  apiKey: '3f1f3c9e-3b52-4a3f-9e53-5d2f7f1c5b7e',
  secret: 'c2ltdWxhdGVkIHNlY3JldCBvZiAzMiBieXRlcyEhISE=',
} as const;

/** The user's sign-in. */
export const LOGIN = { username: 'bot@example.com', password: 'only-simulated-9f2c' } as const;

/** What the tokens of sources from outside are made from. */
export const SIGNALS_SECRET = 'only-simulated-signals';

export const BASE_URL = 'https://service.example';
