/** That no recorded quote leads from one currency to another, and what gives the rate. */
export const noRate = (from: string, to: string): string => `no recorded quote leads from ${from} to ${to}: ${RATE_MEND}`;

/** What gives a rate that is missing. */
export const RATE_MEND = 'name a product that does in account.rates';
