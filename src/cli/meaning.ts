import { styleText } from 'node:util';
import { type StateTone, toneOfState } from '#domain/state-tone.ts';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';

export type Colour = Parameters<typeof styleText>[0];

const BY_TONE: Readonly<Record<StateTone, Colour>> = { good: 'green', even: 'cyan', warn: 'yellow', bad: 'red' };

/** Words that are states of no strategy. */
const OTHERS: Readonly<Record<string, Colour>> = { ACTIVE: 'green', FAILED: 'red' };
const STATES = new RegExp(`\\b(?:${[...Object.keys(OTHERS), ...Object.keys(STRATEGY_STATES)].join('|')})\\b`, 'g');

/** What the first sentence of a result says that it made. */
const MADE = /\b(made|lost)\s+(?:under )?[\d.,]+\s%/i;

/** A text in a colour, on a terminal that has colours; `NO_COLOR` and `FORCE_COLOR` are obeyed. */
export const painted = (colour: Colour, text: string): string => styleText(colour, text, { stream: process.stdout });

/** A text whose names of states have the colour of what they mean. */
export const statesPainted = (text: string): string =>
  text.replace(STATES, (state) => painted(OTHERS[state] ?? BY_TONE[toneOfState(state)], state));

/** The first sentence of a result: what it made is green, what it lost red. */
export const resultPainted = (text: string): string =>
  text.replace(MADE, (made, what: string) => painted(what.toLowerCase() === 'made' ? 'green' : 'red', made));

/** A figure in the colour of its sign: none where it is 0 or unknown. */
export function signPainted(figure: string): string {
  if (!/[1-9]/.test(figure)) return figure;
  return painted(figure.trimStart().startsWith('\u2212') ? 'red' : 'green', figure);
}
