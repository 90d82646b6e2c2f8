import { type CampaignResult, describeCampaign } from './campaign.ts';

const STATES = ['intent', 'sent', 'unknown', 'accepted', 'rejected', 'expired', 'not_sent'] as const;

/**
 * A campaign as a text that is kept with the project: what it came to, then a line a kill. `of` says what was killed
 * and when.
 */
export function keptLog(of: string, result: CampaignResult): string {
  const head = ['kill', 'after_ms', ...STATES, 'then_accepted', 'then_rejected', 'held'];
  const lines = result.reports.map(({ afterMs, states, settledAs, faults }, index) =>
    [
      index + 1,
      Math.round(afterMs),
      ...STATES.map((state) => states[state] ?? 0),
      settledAs.accepted,
      settledAs.rejected,
      faults.length === 0 ? 'all' : faults.join('; '),
    ].join(' '),
  );
  return `${of}\n\n${describeCampaign(result)}

Each line: the kill, milliseconds from the run's first order to it, the run's orders by state at that moment, how the
venue's ledger settled those without an outcome, and which invariants held.

${head.join(' ')}
${lines.join('\n')}
`;
}
