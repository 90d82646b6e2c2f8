import { expect, test } from 'vitest';
import { buy, strategy } from '#core/strategy/index.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { usd } from '../support/limits.ts';
import type { RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const eager = strategy({ name: 'eager', signals: ({ quotes$ }) => quotes$, decide: (_, { amount }) => buy(amount, 'in') });

const rig = rigsOfTests();

const answered = (outcome: AnswerReport['outcome'], reason: AnswerReport['reason'], httpStatus: number | null) => ({
  outcome,
  reason,
  httpStatus,
});

/** What is answered to each order in turn, and the kinds of the commit that the last answer brings. */
test.each<[string, Partial<RigOptions>, readonly Partial<AnswerReport>[], readonly string[]]>([
  [
    'rejections in a row and REDUCING',
    { limits: { maxRejectionStreak: 2 } },
    [answered('rejected', 'HTTP_REFUSED', 422), answered('rejected', 'HTTP_REFUSED', 422)],
    ['sent', 'rejected', 'reducing'],
  ],
  [
    'F07 a second 401 and the halt',
    { limits: { maxRejectionStreak: 2 } },
    [answered('rejected', 'HTTP_UNAUTHORIZED', 401), answered('rejected', 'HTTP_UNAUTHORIZED', 401)],
    ['sent', 'rejected', 'reducing', 'halted'],
  ],
  ['F08 a 403 and the halt', {}, [answered('rejected', 'HTTP_FORBIDDEN', 403)], ['sent', 'rejected', 'halted']],
  [
    'one unknown too many and the halt',
    { limits: { maxUnknown: 0 } },
    [answered('unknown', 'NO_ANSWER', null)],
    ['sent', 'unknown', 'halted'],
  ],
  [
    'a fill whose fee is over the day loss and REDUCING',
    { limits: { maxDayLoss: usd(0.5) } },
    [answered('accepted', 'HTTP_OK', 201)],
    ['sent', 'accepted', 'reducing'],
  ],
])('I32 F45 %s are one commit, so that no kill can come between', (_what, options, answers, kinds) => {
  const commits: string[][] = [];
  let waiting: string[] = [];
  const r = rig({
    strategies: { t: eager },
    ...options,
    wrapJournal: (journal) => ({
      commit(decisions) {
        commits.push([...waiting, ...decisions.map(({ kind }) => kind)].filter((kind) => kind !== 'measured'));
        waiting = [];
        journal.commit(decisions);
      },
      defer(decisions) {
        waiting.push(...decisions.map(({ kind }) => kind));
        journal.defer(decisions);
      },
      write: () => journal.write(),
      flush: () => journal.flush(),
      end: (run, state) => journal.end(run, state),
    }),
  });
  for (const answer of answers) {
    r.price();
    commits.length = 0;
    r.answer(r.last, answer);
  }
  expect(commits.map((commit) => commit.filter((kind) => kind !== 'booked'))).toEqual([kinds]);
});
