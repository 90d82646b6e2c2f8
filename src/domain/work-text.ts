import { decimalOf } from './decimal.ts';
import type { Intent, IntentSize } from './intent.ts';
import { amountOf, writtenAmount } from './lane.ts';
import type { Millis } from './names.ts';
import type { OrderState } from './order.ts';
import type { Side } from './quote.ts';

/** The size of an intent in the form of the journal and the recording: decimals as text. */
type SizeText =
  | { readonly kind: 'amount'; readonly amount: { readonly base: string } | { readonly quote: string } }
  | { readonly kind: 'position' }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'part'; readonly base: string }
  | { readonly kind: 'target'; readonly size: string };

/** One leg of a plan: its intent, and the lane on whose quotes it is tried. */
interface LegText {
  readonly lane: string;
  readonly product: string;
  readonly side: Side | null;
  readonly size: SizeText;
  readonly reason: string;
  readonly tag: string | null;
  readonly limit: number | null;
  readonly within: Millis | null;
  readonly on: string | null;
}

/** A plan that is worked on more than one quote, as its first journal row has it. */
export interface WorkText {
  /** Its name, unique in the journal. */
  readonly work: string;
  readonly legs: readonly LegText[];
  /** True if it closes a position and does not lapse. */
  readonly lasting: boolean;
  readonly onLegFailure: 'keep' | 'unwind';
  /** What the strategy saw when it decided. */
  readonly signals: Readonly<Record<string, unknown>>;
}

/** An order of a leg and its outcome. */
export interface PastTry {
  readonly order: string;
  /** Number of the leg, from 0. */
  readonly leg: number;
  readonly state: OrderState;
  /** When the outcome became known; for an open order, when it was decided. */
  readonly at: Millis;
  /** The change of the position in base currency, decimal text; null if nothing was executed. */
  readonly change: string | null;
}

/** A plan that was still working when an earlier run ended. */
export interface PastWork extends WorkText {
  readonly strategy: string;
  readonly begun: Millis;
  /** In the order they were sent. */
  readonly tries: readonly PastTry[];
}

/** The best journaled price of an open position. */
export interface PositionPeak {
  readonly strategy: string;
  readonly product: string;
  /** When the position was opened. The peak belongs to that position only. */
  readonly openedAt: Millis;
  /** Decimal text. */
  readonly price: string;
}

/** Names a leg of a plan, counted from 0, in the rows of its orders. */
export const legName = (work: string, leg: number): string => `${work}/${leg}`;

/** A leg of a plan in the form of the journal; `intentOf` reads its intent back. */
export function legText(leg: { readonly intent: Intent; readonly lane: string; readonly product: string }): LegText {
  const { side, size, reason, tag, limit, within, on } = leg.intent;
  return { lane: leg.lane, product: leg.product, side, size: sizeText(size), reason, tag, limit, within, on };
}

/** Reads the intent of a leg back. Throws where a figure is not a decimal. */
export function intentOf({ side, size, reason, tag, limit, within, on }: LegText): Intent {
  return { kind: 'intent', side, size: sizeOf(size), reason, tag, limit, within, on };
}

function sizeText(size: IntentSize): SizeText {
  switch (size.kind) {
    case 'amount':
      return {
        kind: 'amount',
        amount: writtenAmount(size.amount),
      };
    case 'part':
      return { kind: 'part', base: size.base.toString() };
    case 'target':
      return { kind: 'target', size: size.size.toString() };
    default:
      return size;
  }
}

function sizeOf(text: SizeText): IntentSize {
  switch (text.kind) {
    case 'amount':
      return { kind: 'amount', amount: amountOf(text.amount) };
    case 'part':
      return { kind: 'part', base: decimalOf(text.base) };
    case 'target':
      return { kind: 'target', size: decimalOf(text.size) };
    default:
      return text;
  }
}
