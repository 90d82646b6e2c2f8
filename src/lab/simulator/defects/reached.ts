/** How often a process has come by the place of its defect. */
export const reached = { times: (): number => 0 };
