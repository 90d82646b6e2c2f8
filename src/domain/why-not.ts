import type { StrategyStateName } from './strategy-state.ts';

/** Why a strategy has no order, in words: as people and programs are told. */
export interface WhyNotAnswer {
  readonly strategy: string;
  /** ISO 8601. */
  readonly at: string;
  /** Null where no daemon ran. */
  readonly run: string | null;
  /** What keeps it from trading; null where nothing does, and where no daemon ran. */
  readonly state: StrategyStateName | null;
  readonly answer: string;
  readonly advice: string;
  readonly facts: readonly { readonly about: string; readonly text: string }[];
}

/** `GET /api/why-not`: what a running daemon answers, of all its strategies, now. */
export interface WhyNotView {
  readonly pid: number;
  readonly version: string;
  readonly run: string;
  readonly answers: readonly WhyNotAnswer[];
}
