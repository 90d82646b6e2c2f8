import type { Reason } from './reasons.ts';

/** One check of an order, with the figures it compared. */
export interface CheckResult {
  readonly check: Reason;
  readonly passed: boolean;
  /** The measured figure and the limit it was compared with, both in the unit of the setting; null if the limit is off. */
  readonly figure: string | number;
  readonly limit: string | number | null;
  /** Of both, where they are amounts of money. */
  readonly currency?: string;
}
