import { unboundInput } from './inputs.ts';
import type { StrategyInstance } from './instance.ts';
import { cutText, MAX_SHORT_TEXT } from './kept-text.ts';
import { readVerdict, type Verdict } from './verdict.ts';

/** What a strategy said to a signal; `nan`: nothing, and the signal was not a number. */
type Decided = Verdict | { readonly kind: 'nan'; readonly why: string };

/** Reads what `decide` returned, and names the place in the source of what nobody can act on. Never throws. */
export function decidedBy(returned: unknown, signal: unknown, instance: StrategyInstance): Decided {
  const verdict = readVerdict(returned);
  const { origin } = instance;
  if (verdict.kind === 'bad') return { ...verdict, why: placed(origin?.decide, verdict.why) };
  const lost = verdict.kind === 'intents' ? unboundInput(verdict.intents, instance) : undefined;
  if (lost !== undefined) return { kind: 'bad', why: placed(origin?.decide, cutText(lost)), promise: false };
  const nan = verdict.kind === 'nothing' ? nanIn(signal) : undefined;
  return nan === undefined ? verdict : { kind: 'nan', why: placed(origin?.signals, `${nan}, and decide returned nothing`) };
}

const placed = (place: string | undefined, what: string): string => (place === undefined ? what : `${place}: ${what}`);

/** Which part of a signal is not a number, in words; undefined where none is. */
function nanIn(signal: unknown): string | undefined {
  if (typeof signal === 'number') return Number.isNaN(signal) ? 'the signal is NaN' : undefined;
  if (typeof signal !== 'object' || signal === null) return undefined;
  try {
    for (const name in signal) {
      if (Object.hasOwn(signal, name) && Number.isNaN(Reflect.get(signal, name)))
        return `${cutText(name, MAX_SHORT_TEXT)} of the signal is NaN`;
    }
  } catch {
    // A getter of the strategy's threw: it is no number that could be missing.
  }
  return undefined;
}
