import type { Headline } from '#report/headline.ts';
import type { Significance } from '#report/metrics/significance.ts';
import { capital } from '#report/summary.ts';
import { escaped, plainTimes } from './html.ts';

const FEW = /too few trades to judge: /i;

/** How far a result can be believed: a badge with the verdict, and why. `good` is left for what is more than luck. */
export function judgedLine(text: string, tone: 'good' | 'warn' = 'warn'): string {
  const [, verdict = text, why = ''] = /^([^:]*): (.*)$/s.exec(text) ?? [];
  return `<p class="judged"><span class="badge ${tone}">${escaped(capital(verdict))}</span> ${escaped(why)}</p>`;
}

/** The badge of a result with its sentences; that there are too few trades goes before its verdict on luck. */
export function judged(sentences: readonly string[], { significant, text }: Significance): string {
  if (sentences.some((one) => FEW.test(one))) return judgedLine(`too few trades to judge: ${text}`);
  return judgedLine(text, significant ? 'good' : 'warn');
}

/** What a result made or lost, as its sentence says it. */
const MADE = /\b(made|lost) (?:under )?[\d.,]+\u00a0%/i;

/** A sentence on a result without what its badge says; what it made has the colour of its sign. */
export const unjudged = (sentence: string, verdict?: string): string =>
  escaped(plainTimes(capital(sentence.replace(FEW, '').replace(verdict === undefined ? '' : `; ${verdict}`, '')))).replace(
    MADE,
    (made, what: string) => `<b class="${what.toLowerCase() === 'made' ? 'up' : 'down'}">${made}</b>`,
  );

/** False for a headline that the badge says. */
export const isBeside = ({ code }: Pick<Headline, 'code'>): boolean => code !== 'FEW_TRADES';
