/** Who did something, and why: a person, or `kairos`, `service` or `schedule`. */
export interface WhoWhy {
  readonly who: string;
  readonly why: string;
}
