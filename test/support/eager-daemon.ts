import { DaemonFolder } from './daemon-folder.ts';
import { FRUGAL, KAIROS, Started, type StartOptions } from './process.ts';

const STRATEGY = `import { buy, mid, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_mid, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

const CONFIG = `strategies:
  - { id: eager, use: ./eager.ts, product: btcusd, amount: { base: 0.01 } }
risk:
  { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, duplicateWindowMs: off, maxLossStreak: off,
    maxLossStreakOfAll: off, maxRejectionStreak: off, maxDayLoss: off, maxDayValue: off, maxDrawdownPct: off }
venue: { quotesPerSecond: 10 }
`;

/** A folder in which a daemon orders at each quote that it can. */
export function eagerFolder(name: string, more = ''): DaemonFolder {
  const folder = new DaemonFolder(name);
  folder.write('eager.ts', STRATEGY);
  folder.write('kairos.yaml', `${CONFIG}${more}`);
  return folder;
}

/** Starts `kairos run` under another program that does something to it, such as a tracer or a limit. */
export function startUnder(program: readonly [string, ...string[]], options: StartOptions): Started {
  const [command, ...args] = program;
  return new Started(command, [...args, process.execPath, ...FRUGAL, KAIROS, 'run'], options);
}

const ORDERS = `SELECT state, count(*) AS count FROM (
  SELECT state FROM orders
  UNION ALL SELECT 'intent' FROM decisions WHERE kind = 'approved' AND order_id NOT IN (SELECT order_id FROM orders)
) GROUP BY state`;

/** Orders by state, with those that were permitted and whose row in `orders` the journal still owes. */
export function ordersOf(folder: DaemonFolder): Readonly<Record<string, number>> {
  return Object.fromEntries(folder.rows<{ state: string; count: number }>(ORDERS).map(({ state, count }) => [state, count]));
}

/** Waits until `more` further orders were accepted. */
export function furtherOrders(daemon: Started, folder: DaemonFolder, more: number): Promise<number> {
  const accepted = () => ordersOf(folder).accepted ?? 0;
  const before = accepted();
  return daemon.until(`${more} further orders`, () => (accepted() >= before + more ? accepted() : undefined));
}
