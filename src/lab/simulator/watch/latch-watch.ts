import type { EngineParts } from '#core/engine/engine-parts.ts';
import type { Decision } from '#domain/decision.ts';
import { isLentLane } from '#domain/lane.ts';
import type { DaemonProcess } from '#lab/simulator/daemon/process.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

/** How often memory and rows are compared, and how long a stop may lack its row once nothing holds the journal, in milliseconds. */
const LOOK_MS = 250;
const WRITTEN_MS = 3_000;

const STRICTNESS = ['ACTIVE', 'REDUCING', 'DISARMED', 'HALTED'] as const;

interface Latching {
  readonly kind: Decision['kind'];
  readonly strategy: string | null;
  readonly why: string | null;
  /** Pauses that the end of a halt leaves. */
  readonly leaves: string | null;
}

/** What a running engine has latched, lent and, where nothing may open, what it holds. */
interface EngineLatches {
  readonly trading: (typeof STRICTNESS)[number];
  readonly strategies: readonly { readonly id: string; readonly paused: boolean }[];
  readonly lent: ReadonlySet<string>;
  readonly held: ReadonlySet<string> | null;
}

/** Reads no more than is compared: it does so every quarter of a second. */
function seenIn({ state, strategies: configured, books, market }: EngineParts): EngineLatches {
  const trading = state.isHalted ? 'HALTED' : state.isDisarmed ? 'DISARMED' : state.reducing === null ? 'ACTIVE' : 'REDUCING';
  const strategies = configured.map(({ id }) => ({ id, paused: state.isPaused(id) }));
  const lent = new Set<string>([...market.lanes()].flatMap(({ lane }) => (isLentLane(lane.id) ? [lane.id] : [])));
  const areOpeningsShut = trading === 'REDUCING' || strategies.every(({ paused }) => paused);
  return { trading, strategies, lent, held: areOpeningsShut ? heldIn(books, configured) : null };
}

function heldIn(books: EngineParts['books'], configured: EngineParts['strategies']): ReadonlySet<string> {
  const all = [...configured.map(({ id, product }) => ({ strategy: id, product })), ...books.positions()];
  return new Set(
    all.flatMap(({ strategy, product }) => {
      const { low, high } = books.interval(strategy, product);
      return low.isZero() && high.isZero() ? [] : [product];
    }),
  );
}

/** What the journal's rows have latched. */
export class JournalLatches {
  halted = false;
  /** Why trading is disarmed or only reduces, where it does. */
  disarmed: string | null = null;
  reducing: string | null = null;
  readonly paused = new Set<string | null>();

  apply({ kind, strategy, why, leaves }: Latching): void {
    if (kind === 'halted') this.halted = true;
    if (kind === 'disarmed') this.disarmed = why;
    if (kind === 'reducing') this.reducing = why;
    if (kind === 'paused') this.paused.add(strategy);
    if (kind === 'armed') [this.disarmed, this.reducing] = [null, null];
    if (kind !== 'resumed') return;
    if (leaves !== 'pauses') this.paused.delete(strategy);
    if (strategy === null) [this.halted, this.reducing] = [false, null];
  }

  get trading(): (typeof STRICTNESS)[number] {
    return this.halted ? 'HALTED' : this.disarmed !== null ? 'DISARMED' : this.reducing === null ? 'ACTIVE' : 'REDUCING';
  }
}

/**
 * Compares what stops trading in memory with its rows: a stop holds at once and its row follows, a release has its row first (I09, I32).
 * No lane is lent for an order that a stop would refuse.
 */
export class LatchWatch {
  private readonly scene: Scene;
  private readonly eye: JournalEye;
  private readonly running: () => DaemonProcess | null;
  private readonly isHeld: () => boolean;
  private readonly violate: Violate;
  private latched = new JournalLatches();
  private nextLook = 0;
  /** Since when each stop lacks its row. */
  private readonly unwritten = new Map<string, number>();
  /** Lent lanes, and products in which no order could pass, at the last look. */
  private lent: ReadonlySet<string> = new Set();
  private shut: (product: string) => boolean = () => false;

  constructor(parts: {
    readonly scene: Scene;
    readonly eye: JournalEye;
    readonly running: () => DaemonProcess | null;
    /** True while another program holds the journal. */
    readonly isHeld: () => boolean;
    readonly violate: Violate;
  }) {
    this.scene = parts.scene;
    this.eye = parts.eye;
    this.running = parts.running;
    this.isHeld = parts.isHeld;
    this.violate = parts.violate;
  }

  get rows(): JournalLatches {
    return this.latched;
  }

  /** A process is about to start on what the disk has. */
  starting(): void {
    this.latched = new JournalLatches();
    const kinds = "'halted', 'disarmed', 'reducing', 'paused', 'armed', 'resumed'";
    for (const row of this.eye.rows<Latching>(
      `SELECT kind, strategy, detail ->> '$.why' AS why, detail ->> '$.leaves' AS leaves FROM decisions WHERE kind IN (${kinds}) ORDER BY seq`,
    ))
      this.latched.apply(row);
    this.unwritten.clear();
    this.lent = new Set();
    this.shut = () => false;
  }

  committed(decision: Decision): void {
    const { kind, strategy, detail } = decision;
    const why = kind === 'disarmed' || kind === 'reducing' ? detail.why : null;
    // A stop may follow before the next look, and what was lent between the two was lent in order.
    if (kind === 'armed' || kind === 'resumed') this.shut = () => false;
    this.latched.apply({ kind, strategy, why, leaves: kind === 'resumed' ? (detail.leaves ?? null) : null });
  }

  step(): void {
    const { world, machine } = this.scene;
    if (world.now < this.nextLook || machine.isHeldUp) return;
    this.nextLook = world.now + LOOK_MS;
    const seen = this.running()?.beside.engine?.inspect(seenIn);
    if (!seen) return;
    const rows = this.latched;
    this.compare(
      'trading',
      STRICTNESS.indexOf(seen.trading) - STRICTNESS.indexOf(rows.trading),
      `${seen.trading}, by its rows ${rows.trading}`,
    );
    for (const { id, paused } of seen.strategies) {
      const isWritten = rows.paused.has(id) || rows.paused.has(null);
      this.compare(id, Number(paused) - Number(isWritten), `${paused ? '' : 'not '}paused, by its rows ${isWritten ? '' : 'not '}paused`);
    }
    const isShut = seen.trading === 'HALTED' || seen.trading === 'DISARMED';
    const { held, lent } = seen;
    const shut = (product: string): boolean => isShut || (held !== null && !held.has(product));
    for (const lane of lent) {
      const product = lane.split('@')[0] ?? '';
      // A person may have let orders pass since the last look.
      if (!this.lent.has(lane) && this.shut(product) && shut(product))
        this.violate('I22', `lane ${lane} was lent while no order of its product could pass`);
    }
    this.lent = lent;
    this.shut = shut;
  }

  private compare(what: string, stricter: number, words: string): void {
    const { scene, unwritten, violate } = this;
    const { now } = scene.world;
    if (stricter < 0) violate('I09', `${what} is ${words}: released before its row`);
    if (stricter <= 0 || this.isHeld()) return void unwritten.delete(what);
    const since = unwritten.get(what) ?? now;
    unwritten.set(what, since);
    if (now - since > WRITTEN_MS) violate('I32', `${what} is ${words} since ${now - since} ms`);
  }
}
