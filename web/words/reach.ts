/** What the page has of its daemon: it hears it, joins it, or has lost it. */
export type Reach = 'joining' | 'live' | 'lost';

/** What a dialog says and offers where its act may not arrive. */
interface Unreached {
  readonly says: readonly string[];
  /** What is to be typed instead; null: nothing. */
  readonly command: string | null;
  /** What the button says that tries all the same; null: there is none. */
  readonly button: string | null;
}

/** Null where an act arrives. `haltCommand`: what halts the daemon by its machine. */
export function unreached(act: string, reach: Reach, haltCommand: string): Unreached | null {
  if (reach !== 'lost') return null;
  if (act !== 'halt') return { says: ['The page does not reach the daemon: nothing is sent.'], command: null, button: null };
  return {
    says: [
      'The page does not reach the daemon: a halt from here may not arrive.',
      'Type this on its machine. It also stops a daemon that hangs, and holds for the next one that starts.',
    ],
    command: haltCommand,
    button: 'Try from here as well',
  };
}

/** The state of trading as far as the page knows it: what was heard last may have changed since. */
export const knownTrading = (trading: string, reach: Reach): string => (reach === 'lost' ? 'UNKNOWN' : trading);

/** The title of the browser's tab. */
export function titleOf({ mode, trading, unknowns }: { mode: string; trading: string; unknowns: number }, reach: Reach): string {
  const known = knownTrading(trading, reach);
  return [...(known === 'ACTIVE' ? [] : [known]), ...(unknowns > 0 ? [`${unknowns} unknown`] : []), mode.toUpperCase(), 'Kairos'].join(
    ' \u00b7 ',
  );
}
