/** What a person does to a sweep that is played elsewhere. */
export const SWEEP_ACTS = ['pause', 'resume', 'stop'] as const;

/** One of them. */
export type SweepAct = (typeof SWEEP_ACTS)[number];
