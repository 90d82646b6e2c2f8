import { type CampaignResult, describeCampaign, lineOf } from './campaign.ts';

/** A campaign as a text that is kept with the project: what it came to, then a line a dialect. `of` says what was played and when. */
export function keptLog(of: string, result: CampaignResult): string {
  return `${of}

${describeCampaign(result)}

Each line: the seed, what the client was worth, orders that the service executed, the readings of the dialect, and what was
said or fell short. \`npm run dialects -- --count 1 --seed SEED\` plays one again; docs/reference/dialect.md says what each reading is.

seed grade executed dialect
${result.trials.map(lineOf).join('\n')}
`;
}
