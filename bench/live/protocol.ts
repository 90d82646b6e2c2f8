import type { PagesReport } from './page-clients.ts';

/** The lane of a side: what it subscribes to, and whether it orders on every quote. */
export interface BenchLane {
  readonly product: string;
  /** In base currency; different for each lane. */
  readonly size: number;
  readonly trades: boolean;
}

/** The two sides are told apart by the user they connect as. */
export const USERS = { kairos: '1205', bare: '1206' } as const;
export type SideName = keyof typeof USERS;

/** What a side is started with. */
export interface SideFacts {
  readonly folder: string;
  readonly baseUrl: string;
  readonly user: string;
  readonly lanes: readonly BenchLane[];
  /** Kairos only: every order passes, and no check is made. */
  readonly passAll?: boolean;
  /** Kairos only: so many pages listen in the slices that have them, one of which does not read. */
  readonly pages?: number;
}

export type ServiceQuestion =
  /** Where it listens. */
  | { readonly ask: 'url' }
  /** How many connections of a user are subscribed, and when the first was: machine time. */
  | { readonly ask: 'subscribed'; readonly user: string }
  /** Forgets what it has noted and sends quotes to this user's connections, and to nobody else's; null stops and forgets nothing. */
  | { readonly ask: 'play'; readonly user: string | null }
  /** What was noted since. */
  | { readonly ask: 'arrivals' };

export interface SubscribedCount {
  readonly count: number;
  readonly firstMs: number | null;
}

/** What the service noted while it played. */
export interface ServiceNotes {
  readonly arrivals: readonly Arrival[];
  /** The first quote of each connection: it ends a silence, after which a daemon may rightly not trade at once. */
  readonly firstQuotes: readonly string[];
}

/** An order as the service saw it, in machine time: its quote was sent, the first byte of its POST arrived. */
export interface Arrival {
  readonly quoteId: string;
  readonly sentMs: number;
  readonly arrivedMs: number;
}

/** Until the end of the slice pages listen, or a sweep plays that was started as from the page. */
export type SideQuestion = { readonly ask: 'begin'; readonly withPages?: boolean; readonly withSweep?: boolean } | { readonly ask: 'end' };

/** What a side notes of the quotes that it orders on, in machine time. The bare loop has fewer stages. */
export interface Marks {
  /** The frame has come out of ws. */
  readonly received: number;
  /** Decoded, and in the inbox. */
  queued?: number;
  /** Its turn has come. */
  drained?: number;
  /** The decision is about to be committed: signals, sizing and risk are behind it. */
  decided?: number;
  committed?: number;
  /** Signed, and asked by the dispatcher for the last time. */
  signed?: number;
  /** The kernel has taken the bytes. */
  written?: number;
}

/** What a side did in one slice. */
export interface SliceReport {
  readonly frames: number;
  readonly wallMs: number;
  /** User and system time of the whole process. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly marks: readonly (readonly [quoteId: string, marks: Marks])[];
  /** What the pages were told meanwhile; absent in a slice without. */
  readonly told?: PagesReport;
}
