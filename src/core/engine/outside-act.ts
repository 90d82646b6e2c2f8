import type { Millis } from '#domain/names.ts';
import type { ActionArguments, ScheduledAction } from '#domain/schedule.ts';

/** Actions outside the engine: requests to the service, and files. */
export type OutsideAction = Exclude<ScheduledAction, 'bot.halt' | 'bot.resume' | 'bot.pause' | 'bot.flatten'>;

/** Something to be done outside the engine and off the order path. */
export interface OutsideAct {
  readonly actionId: string;
  readonly action: OutsideAction;
  readonly arguments: ActionArguments;
  /** The answer comes within this, if only to say that it was not done. */
  readonly deadlineMs: Millis;
}

/** Starts an action outside; its answer enters by the inbox. */
export type Act = (asked: OutsideAct) => void;
