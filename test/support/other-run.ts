import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { ledgerChanges, rowsOf, venueChanges } from './books.ts';
import { type OtherService, otherService, type Ways } from './other-service.ts';
import { lookFor } from './wait-for.ts';

/** Buys and sells in turn, as fast as answers come. */
const STRATEGY = `import { buy, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'in-turn',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => (position.isFlat ? buy(amount, 'flat') : sell('position', 'long')),
});
`;

/** A daemon in this process that trades on another service. */
export interface OtherRun {
  readonly service: OtherService;
  readonly notices: readonly string[];
  readonly daemon: Daemon;
  readonly journal: string;
  rows<Row>(sql: string): readonly Row[];
  /** Stops the daemon; what its ledger and the service's own book then say was moved. */
  books(): Promise<{ readonly ledger: Readonly<Record<string, string>>; readonly venue: Readonly<Record<string, string>> }>;
  /** Waits until that many orders are executed; false where they are not within 12 s. */
  trades(orders: number): Promise<boolean>;
  stop(): Promise<void>;
}

export interface OtherRunOptions {
  readonly ways: Ways;
  readonly settings?: string;
  readonly set?: readonly string[];
  readonly product?: string;
  readonly amount?: string;
}

export async function otherRun({
  ways,
  settings = '',
  set = [],
  product = 'btcusd',
  amount = '{ base: 0.01 }',
}: OtherRunOptions): Promise<OtherRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-other-'));
  mkdirSync(path.join(folder, 'strategies'));
  writeFileSync(path.join(folder, 'strategies', 'in-turn.ts'), STRATEGY);
  const journal = path.join(folder, 'kairos.db');
  const file = path.join(folder, 'kairos.yaml');
  writeFileSync(
    file,
    `journal: { path: ${journal} }
recording: { dir: ${path.join(folder, 'recordings')} }
venue: { database: ${path.join(folder, 'venue.db')}, quotesPerSecond: 20 }
strategies:
  - { id: turn, use: in-turn, product: ${product}, amount: ${amount} }
${settings}
`,
  );
  const load = (more: readonly string[]) =>
    loadConfig({ files: [file], set: [...set, ...more], env: {}, cwd: folder, live: false, isVenue: true });
  const venue = await startVenue(load([]).settings.venue, systemTimers);
  const service = await otherService(venue.port, ways);
  const notices: string[] = [];
  let fault: unknown;
  const undo = async (): Promise<void> => {
    await service.close();
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const daemon = await Daemon.start({
    config: load([`service.baseUrl=${service.url}`]),
    strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    notice: (_level, line) => notices.push(line),
    onFault: (error) => {
      fault = error;
    },
  }).catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  const accepted = (): number => rowsOf(journal, "SELECT 1 FROM orders WHERE state = 'accepted'").length;
  let ending: Promise<unknown> | undefined;
  const ended = async (): Promise<void> => {
    ending ??= daemon.stop('test', 'seen enough');
    await ending;
  };
  return {
    service,
    notices,
    daemon,
    journal,
    rows: (sql) => rowsOf(journal, sql),
    async books() {
      await ended();
      return { ledger: ledgerChanges(journal), venue: venueChanges(path.join(folder, 'venue.db')) };
    },
    async trades(orders) {
      const traded = await lookFor(() => (accepted() >= orders ? true : undefined), { goOn: () => fault === undefined });
      if (fault !== undefined) throw fault;
      return traded === true;
    },
    async stop() {
      await ended();
      await undo();
    },
  };
}
