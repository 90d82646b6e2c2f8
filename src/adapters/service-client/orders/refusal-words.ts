import { jsonIn } from '#domain/json-in.ts';

/** Said of a quote that was never used, however near the words stand to those below. */
const OF_AN_UNUSED_QUOTE =
  /\balready (?:been )?(?:expired|lapsed|invalid(?:ated)?|stale|cancell?ed|rejected|outdated|dead|withdrawn|timed out|too old|past)\b|\b(?:no longer|can ?not|can't|could not|must not|may not|not|never) (?:be |been )?used\b|\balready too\b/gi;
/** Said of the market, the account or a limit: no quote need have been used, where none is named. */
const OF_ANOTHER_THING =
  /\b(?:market|session|trading|account)(?: is| was| has)? already (?:been )?(?:closed|suspended|halted|paused|stopped|disabled|blocked|locked|frozen)\b|\blimit(?: is| was| has)? already (?:been )?(?:reached|exceeded)\b/gi;
/** Words for a quote that was used before: something on the way may have sent the order twice, and one of the two was executed. */
const USED = /\b(?:already|duplicate[ds]?|duplication|used|twice|more than once|used again)\b/i;

/** True if a refusal says that the quote, which we sent once, was used before. */
export function saysUsed(text: string): boolean {
  const unused = text.replace(OF_AN_UNUSED_QUOTE, ' ');
  const twice = /\b(?:twice|more than once|again)\b/i.test(text);
  return twice
    ? /\bused?\b|\bsent\b|\bexecuted\b/i.test(text)
    : USED.test(/\bquotes?\b/i.test(text) ? unused : unused.replace(OF_ANOTHER_THING, ' '));
}

const USER_ID = /\buser ids?\b/i;
const IS_WRONG =
  /\b(?:incorrect|invalid|unknown|wrong|bad|missing|malformed|mismatch(?:ed)?|unrecogni[sz]ed|required|must|not|no such|does not|doesn't)\b/i;
/** Nothing but the name of the field: what a list of wrong fields has. */
const NAME_ALONE = /^(?:x api )?user id$/i;

/**
 * True where a refusal names the user id as what is wrong: a text that says so, or its name in a list of fields. A body that
 * carries the user's id among other things says nothing of it.
 */
export function namesUser(body: string): boolean {
  const parsed = jsonIn(body);
  const texts = parsed === undefined ? [body] : textsIn(parsed);
  return texts.map(spaced).some((text) => NAME_ALONE.test(text) || (USER_ID.test(text) && IS_WRONG.test(text)));
}

/** `X-API-User-ID`, `userId` and `INVALID_USER_ID` as words. */
const spaced = (text: string): string =>
  text
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim();

/** Every text of a JSON value, without the names of its fields; what stands deeper than answers go is not looked at. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || depth > 12) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
