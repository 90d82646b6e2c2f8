import { decimalOf } from './decimal.ts';
import type { Reason } from './reasons.ts';

/** Why a position is not closed yet. */
export interface ClosingWait {
  /** The code of what refused the last attempt; null where that is none. */
  readonly reason: Reason | null;
  readonly why: string;
  /** What a person types to allow it; null where nothing is to be allowed. */
  readonly command: string | null;
}

/** A position that is being closed whatever its strategy says: why that was begun, and what it waits for. */
export interface ClosingAtWork extends ClosingWait {
  readonly product: string;
  readonly due: string;
}

/** What a person types to let an exit of that worth go (quote currency, decimal text), with a tenth of room for the price. */
export const consentCommand = ({ strategy, product, worth }: Readonly<Record<'strategy' | 'product' | 'worth', string>>): string =>
  `kairos close ${strategy} --product ${product} --up-to-value ${decimalOf(worth).times('1.1').ceil()}`;

/** What lets an exit go that waits for a person. */
export const allowText = (command: string): string => `to allow it: \`${command}\``;

/** An exit that waits for a person, and what lets it go. Worth in `currency`, decimal text. */
export const waitingExitText = (of: Readonly<Record<'strategy' | 'product' | 'worth' | 'currency' | 'command', string>>): string =>
  `the exit of ${of.strategy} in ${of.product} is worth ${of.worth} ${of.currency}, more than risk.maxExitValue, and waits for the consent of a person; ${allowText(of.command)}`;
