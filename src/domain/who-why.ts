/** Who did something, and why: a person, or `kairos`, `service`, `schedule` for what was done without one. */
export interface WhoWhy {
  readonly who: string;
  readonly why: string;
}
