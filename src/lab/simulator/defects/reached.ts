/** The mutants that a process has come by since it was last asked. */
export const reached = { collect: (): readonly string[] => [] };
