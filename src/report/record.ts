import type { Decision } from '#domain/decision.ts';
import type { PastFill } from '#domain/event.ts';
import type { Latch } from '#domain/latch.ts';
import type { Millis } from '#domain/names.ts';

/** A movement of money as the ledger has it. Amounts are decimal text. */
export interface LedgerMovement {
  readonly at: Millis;
  readonly book: string;
  readonly product: string | null;
  readonly kind: 'opening' | 'fill' | 'fee' | 'deposit' | 'withdrawal' | 'correction' | 'financing';
  readonly currency: string;
  readonly amount: string;
}

/** A strategy as the run's configuration has it. */
export interface RunStrategy {
  readonly id: string;
  readonly use: string;
  readonly product: string;
  /** Those that the configuration names. */
  readonly params: Readonly<Record<string, unknown>>;
  /** False where the configuration leaves it out. */
  readonly enabled: boolean;
}

/** What a run did with money, and what it began with: all that its worth is made of, besides recorded quotes. */
export interface RunMoney {
  readonly run: string;
  readonly startedAt: Millis;
  /** Its end, or the last that is known of a run that goes on. */
  readonly endedAt: Millis;
  /** Currency in which the account is valued. */
  readonly currency: string;
  /** What earlier runs left: what it began with. Movements of one kind may be added up. */
  readonly earlier: { readonly fills: readonly TradedProduct[]; readonly ledger: readonly LedgerMovement[] };
  readonly fills: readonly TradedProduct[];
  readonly ledger: readonly LedgerMovement[];
}

/** That a product was traded, and in which currencies. */
export interface TradedProduct {
  readonly product: string;
  readonly fill: { readonly baseCcy: string; readonly quoteCcy: string };
}

/** A run as its journal has it: all that a report is made of, besides recorded quotes. */
export interface RunRecord extends RunMoney {
  readonly earlier: RunMoney['earlier'] & { readonly fills: readonly PastFill[] };
  readonly fills: readonly PastFill[];
  readonly book: string;
  readonly mode: string;
  readonly version: string;
  readonly configHash: string;
  /** The configuration as canonical JSON, secrets replaced by a mark. */
  readonly config: string;
  /** Null while it goes on, and where it crashed. */
  readonly endState: string | null;
  /** A process trades in it now. */
  readonly isRunning: boolean;
  /** What stood latched when it began. */
  readonly latches: readonly Latch[];
  readonly strategies: readonly RunStrategy[];
  /** Its decisions, in order; walked once. */
  readonly decisions: Iterable<Decision>;
  /** Intent and approval of orders of earlier runs that it was told the fill of. */
  readonly begun: readonly Decision[];
  /** Tag of each intent that had one, by order. */
  readonly tags: ReadonlyMap<string, string>;
}
