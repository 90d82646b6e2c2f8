import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { startVenueThread } from '#assembly/venue-thread.ts';
import { seeded } from '#domain/seeded.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { KillBed, type KillReport } from './bed.ts';

export interface CampaignOptions {
  readonly kills: number;
  readonly folder: string;
  /** Beds side by side, each with a journal and a venue of its own. */
  readonly beds: number;
  /** Longest wait between the first order of a run and its kill. */
  readonly longestMs: number;
  /** Decides the moments of the kills, and what the venues do. */
  readonly seed: string;
  /** True from when on no further daemon is killed. */
  readonly isOver?: () => boolean;
  readonly onKill?: (done: number, report: KillReport) => void;
}

export interface CampaignResult {
  readonly kills: number;
  /** Runs that were killed before any order: they do not count. */
  readonly tooEarly: number;
  /** Kills that hit at least one open order. */
  readonly hitOpen: number;
  /** Orders by state at the moment of their kill, over all kills. */
  readonly histogram: Readonly<Record<string, number>>;
  readonly settledAs: { readonly accepted: number; readonly rejected: number };
  readonly faults: readonly string[];
  /** Every kill, in the order of their ends. */
  readonly reports: readonly KillReport[];
}

/** Kills the real daemon again and again at random moments, and lets the venue's ledger judge each time. */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const result = { kills: 0, tooEarly: 0, hitOpen: 0, settledAs: { accepted: 0, rejected: 0 }, faults: [] as string[] };
  const histogram: Record<string, number> = {};
  const reports: KillReport[] = [];
  const log = path.join(options.folder, 'kills.ndjson');
  mkdirSync(options.folder, { recursive: true });

  const take = (report: KillReport): void => {
    if (report.orders === 0 && report.faults.length === 0) {
      result.tooEarly += 1;
      return;
    }
    result.kills += 1;
    if (report.open > 0) result.hitOpen += 1;
    for (const [state, count] of Object.entries(report.states)) histogram[state] = (histogram[state] ?? 0) + count;
    result.settledAs.accepted += report.settledAs.accepted;
    result.settledAs.rejected += report.settledAs.rejected;
    result.faults.push(...report.faults);
    reports.push(report);
    appendFileSync(log, `${JSON.stringify(report)}\n`);
    options.onKill?.(result.kills, report);
  };

  const work = async (bed: KillBed, index: number): Promise<void> => {
    const random = seeded(`kills ${options.seed} ${index}`);
    while (options.isOver?.() !== true && result.kills < options.kills && result.faults.length === 0 && result.tooEarly < options.kills) {
      take(await bed.killOnce(random.next() * options.longestMs));
    }
  };

  const venues = await Promise.all(
    Array.from({ length: options.beds }, async (_, index) => {
      const folder = path.join(options.folder, `bed-${index}`);
      mkdirSync(folder, { recursive: true });
      const venueDatabase = path.join(folder, 'venue.db');
      const venue = await startVenueThread({ ...VENUE, database: venueDatabase, seed: `kills-${options.seed}-${index}` });
      return { venue, bed: new KillBed({ folder, venueUrl: venue.url, venueDatabase }) };
    }),
  );
  try {
    await Promise.all(venues.map(({ bed }, index) => work(bed, index)));
    for (const { bed } of venues) result.faults.push(...bed.verify());
  } finally {
    await Promise.all(venues.map(({ venue }) => venue.close()));
  }
  return { ...result, histogram, reports };
}

/** Quotes come fast, and answers up to 300 ms late, so that most kills find an order on its way. */
const VENUE: VenueSettings = { ...VENUE_SETTINGS, quotesPerSecond: 20, validityMs: [100, 3000], answerDelayMs: [0, 300] };

/** The result as a few lines for people. */
export function describeCampaign(result: CampaignResult): string {
  const bars = Object.entries(result.histogram).map(([state, count]) => `  ${state.padEnd(9)} ${String(count).padStart(6)}`);
  const share = result.kills === 0 ? 0 : Math.round((100 * result.hitOpen) / result.kills);
  return [
    `${result.kills} kills, ${result.hitOpen} of them (${share} %) with an order open; ${result.tooEarly} runs ended before any order and do not count`,
    'orders of the killed runs by state at the kill:',
    ...bars,
    `settled from the venue's ledger: ${result.settledAs.accepted} accepted, ${result.settledAs.rejected} rejected`,
    result.faults.length === 0 ? 'every invariant held' : `BROKEN: ${result.faults.join('; ')}`,
  ].join('\n');
}
