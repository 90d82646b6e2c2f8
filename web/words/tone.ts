/** What a state asks for: nothing, nothing but time, a look, somebody. */
export type StateTone = 'good' | 'even' | 'warn' | 'bad';
