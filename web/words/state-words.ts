import { blockedText } from '#domain/no-order-line.ts';
import { type StateTone, toneOfState } from '#domain/state-tone.ts';
import type { StrategyView } from '#server/page/view.ts';
import { said } from './said.ts';
import { awayText } from './times.ts';

type State = StrategyView['state'];

/** The name of a state as the page writes it. */
export const stateName = (name: string): string => name.replaceAll('_', ' ');

/** Why a strategy does not trade, since when, what ends that and how much longer it lasts, in a phrase; null while it trades. */
export function blockPhrase(state: Pick<State, 'name' | 'since' | 'why' | 'mend' | 'until'>, nowMs: number): string | null {
  const { name, until } = state;
  if (name === 'RUNNING') return null;
  return `${said(blockedText(state), nowMs)}${until === null ? '' : `, ends ${awayText(until, nowMs)}`}`;
}

/** How many strategies wait, are refused or need somebody while trading is on, as in `1 of 3 refused`; null where none does. */
export function blockedCount(states: readonly string[]): { readonly says: string; readonly tone: StateTone } | null {
  const blocked = states.filter((name) => /warn|bad/.test(toneOfState(name)));
  const [first] = blocked;
  if (first === undefined) return null;
  const what = new Set(blocked).size === 1 ? stateName(first).toLowerCase() : 'blocked';
  const tone = blocked.map(toneOfState).includes('bad') ? 'bad' : 'warn';
  return { says: `${blocked.length} of ${states.length} ${what}`, tone };
}
