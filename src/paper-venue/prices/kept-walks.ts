import type Database from 'better-sqlite3';
import { z } from 'zod';
import { messageOf } from '#domain/errors.ts';
import type { QuotedProduct } from '#paper-venue/products.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { PriceSource } from './sources.ts';
import { SyntheticPrices } from './synthetic.ts';

/** How often walks are saved, in milliseconds: a killed venue continues at most this long after its last prices. */
const KEEP_MS = 30_000;
const AHEAD_MS = 2 * KEEP_MS;

const WALK = z.object({
  step: z.number(),
  wild: z.array(z.boolean()),
  distance: z.number(),
  noise: z.number(),
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
 * The prices of a venue. The synthetic market of a seed continues where the last start ended and never repeats a
 * stretch, even after a kill, since time is reserved ahead of what is shown. A database in memory starts anew.
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
        // A walk that an earlier Kairos kept has another form: the market begins anew.
        const kept = row && WALK.safeParse(JSON.parse(row.walk)).data;
        const walk = kept ? source.from(source.from(kept).stateAt(row.resume_ms)) : source;
        this.walks.set(product.code, walk);
        return [product, walk];
      }),
    );
  }

  /** Starts saving; `elapsedMs` is market time since the start. */
  begin(timers: Timers, elapsedMs: () => number): void {
    this.elapsedMs = elapsedMs;
    this.keep(AHEAD_MS);
    this.kept = true;
    this.stopKeeping = timers.every(KEEP_MS, () => this.keep(AHEAD_MS));
  }

  /** Saves the exact end, where the next start continues. */
  close(): void {
    this.stopKeeping();
    if (this.kept) this.keep(1000);
    this.kept = false;
  }

  /** Saves the walks. On a full disk a later start may repeat a stretch, and nothing else happens. */
  private keep(aheadMs: number): void {
    const at = this.elapsedMs();
    const walks = [...this.walks].map(([product, walk]): [string, string] => [product, JSON.stringify(walk.stateAt(at))]);
    try {
      this.write(walks, aheadMs);
    } catch (error) {
      this.parts.log(`the prices could not be saved: ${messageOf(error)}`);
    }
  }
}
