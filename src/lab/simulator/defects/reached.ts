/** How often, since a process was last asked, each mutant's value was another than the code's own; of those without a value, how often it came by. */
export const reached = { collect: (): Readonly<Record<string, number>> => ({}) };
