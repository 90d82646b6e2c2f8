import { messageOf } from '#domain/errors.ts';

/** The result of one check. `fail` would stop trading, `warn` may; `mend` says what to do about it. */
export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly mend: string | null;
}

export const ok = (check: string, what: string): Finding => ({ check, verdict: 'ok', what, mend: null });
export const warn = (check: string, what: string, mend: string): Finding => ({ check, verdict: 'warn', what, mend });
export const fail = (check: string, what: string, mend: string): Finding => ({ check, verdict: 'fail', what, mend });

/** What to do where the service refuses key, secret, user or time. */
export const KEY_MEND = 'check KAIROS_API_KEY, KAIROS_API_SECRET, KAIROS_USER_ID and the clock of this machine: `kairos doctor --probe`';

/** The findings of `look`, or its error as a finding: one failed check must not end the others. */
export async function guarded(
  check: string,
  mend: string | ((error: unknown) => string),
  inspect: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await inspect();
  } catch (error) {
    return [fail(check, messageOf(error), typeof mend === 'string' ? mend : mend(error))];
  }
}
