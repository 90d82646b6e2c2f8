/** How often a process has come by each mutant since it was last asked. */
export const reached = { collect: (): Readonly<Record<string, number>> => ({}) };
