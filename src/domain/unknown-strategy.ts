import { KairosError } from './errors.ts';
import { knownHint } from './nearest.ts';

/** That a run or a journal has no such strategy, with the name that may be meant or all that there are. */
export const unknownStrategy = (where: string, strategy: string, known: Iterable<string>): KairosError =>
  new KairosError('NOT_FOUND', `${where} has no strategy ${JSON.stringify(strategy)}${knownHint(strategy, known)}`);

/** That no strategy has a name that a person gave, likewise. */
export const noStrategy = (strategy: string, known: Iterable<string>): KairosError =>
  new KairosError('NOT_FOUND', `there is no strategy ${JSON.stringify(strategy)}${knownHint(strategy, known)}`);
