/** What the page has of its daemon: it hears it, joins it, has lost it, or has found another one behind its address. */
export type Reach = 'joining' | 'live' | 'lost' | 'other';

/** What a dialog says and offers where its act may not arrive. */
interface ReachWarning {
  readonly says: readonly string[];
  /** What is to be typed instead; null: nothing. */
  readonly command: string | null;
  /** What the button says that tries all the same; null: there is none. */
  readonly button: string | null;
}

/** Null where an act arrives. `haltCommand`: what halts the daemon by its machine. */
export function unreached(act: string, reach: Reach, haltCommand: string): ReachWarning | null {
  if (!isStale(reach)) return null;
  if (reach === 'other') {
    return { says: ['Another daemon listens at the address of this page: nothing is sent.'], command: null, button: null };
  }
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

/** True if what was heard last may no longer be so. */
export const isStale = (reach: Reach): boolean => reach === 'lost' || reach === 'other';

/** The state of trading as far as the page knows it: what was heard last may have changed since. */
export const knownTrading = (trading: string, reach: Reach): string => (isStale(reach) ? 'UNKNOWN' : trading);

/** The title of the browser's tab. `name`: of the daemon. */
export function titleOf(
  { mode, trading, unknowns }: { readonly mode: string; readonly trading: string; readonly unknowns: number },
  { name, reach }: { readonly name: string; readonly reach: Reach },
): string {
  const known = knownTrading(trading, reach);
  const alarms = [...(known === 'ACTIVE' ? [] : [known]), ...(unknowns > 0 ? [`${unknowns} unknown`] : [])];
  return [...alarms, mode.toUpperCase(), name, 'Kairos'].join(' \u00b7 ');
}
