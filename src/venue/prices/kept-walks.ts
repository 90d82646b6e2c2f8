import type Database from 'better-sqlite3';
import { z } from 'zod';
import { messageOf } from '#domain/errors.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { QuotedProduct } from '#venue/products.ts';
import type { PriceSource } from './sources.ts';
import { SyntheticPrices } from './synthetic.ts';

/** The walks are written down this often, and a venue that is killed goes on at most this long after what it showed last. */
const KEEP_MS = 30_000;
const AHEAD_MS = 2 * KEEP_MS;

const WALK = z.object({
  step: z.number(),
  wild: z.boolean(),
  distance: z.number(),
  draws: z.tuple([z.number(), z.number(), z.number(), z.number()]),
});

interface Row {
  readonly walk: string;
  /** Market time after `walk` that an earlier start may have shown. */
  readonly resume_ms: number;
}

interface KeptWalksParts {
  readonly db: Database.Database;
  readonly seed: string;
  readonly log: (line: string) => void;
}

/**
 * The prices of a venue, whose synthetic market of one seed goes on where it stood when the venue was started last: no stretch of it is shown
 * twice, also after a kill, since time is reserved ahead of what is shown. A database in memory begins anew.
 */
export class KeptWalks {
  readonly sources: ReadonlyMap<QuotedProduct, PriceSource>;
  private readonly walks = new Map<string, SyntheticPrices>();
  private readonly parts: KeptWalksParts;
  private readonly write: (rows: readonly (readonly [product: string, walk: string])[], resumeMs: number) => void;
  private elapsedMs: () => number = () => 0;
  private stopKeeping: Cancel = () => {};
  private kept = false;

  constructor(sources: ReadonlyMap<QuotedProduct, PriceSource>, parts: KeptWalksParts) {
    this.parts = parts;
    const { db, seed } = parts;
    const read = db.prepare<[string, string], Row>('SELECT walk, resume_ms FROM market WHERE seed = ? AND product = ?');
    const insert = db.prepare('INSERT OR REPLACE INTO market VALUES (?, ?, ?, ?)');
    this.write = db.transaction((rows: readonly (readonly [string, string])[], resumeMs: number) => {
      for (const [product, walk] of rows) insert.run(seed, product, walk, resumeMs);
    });
    this.sources = new Map(
      [...sources].map(([product, source]) => {
        if (!(source instanceof SyntheticPrices)) return [product, source];
        const row = read.get(seed, product.code);
        const first = row && new SyntheticPrices(product, seed, WALK.parse(JSON.parse(row.walk))).stateAt(row.resume_ms);
        const walk = new SyntheticPrices(product, seed, first);
        this.walks.set(product.code, walk);
        return [product, walk];
      }),
    );
  }

  /** Keeps what is shown from now on; `elapsedMs` is market time since the start. */
  begin(timers: Timers, elapsedMs: () => number): void {
    this.elapsedMs = elapsedMs;
    this.keep(AHEAD_MS);
    this.kept = true;
    this.stopKeeping = timers.every(KEEP_MS, () => this.keep(AHEAD_MS));
  }

  /** The next start goes on right behind what was shown last. */
  close(): void {
    this.stopKeeping();
    if (this.kept) this.keep(1000);
    this.kept = false;
  }

  /** A disk that is full costs the venue nothing but this: a later start may show a stretch again. */
  private keep(aheadMs: number): void {
    const at = this.elapsedMs();
    const walks = [...this.walks].map(([product, walk]): [string, string] => [product, JSON.stringify(walk.stateAt(at))]);
    try {
      this.write(walks, aheadMs);
    } catch (error) {
      this.parts.log(`the market could not be kept: ${messageOf(error)}`);
    }
  }
}
