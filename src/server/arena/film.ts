/** What the page of the arena is told: a history as plain data, so that it can be played, stopped and gone back in. Times in milliseconds from the start. */

/** Where something happens. Of a bot on trial the daemon is the bot, and its disk is what it says of its books. */
export type RoomName = 'service' | 'network' | 'disk' | 'daemon';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** One thing that a room shows. */
export interface RoomLine {
  readonly label: string;
  readonly value: string;
  readonly tone: Tone;
}

/** What has changed in the rooms by a moment, and how often each light was looked at by then. */
export interface Sample {
  readonly t: number;
  readonly rooms: Readonly<Partial<Record<RoomName, readonly RoomLine[]>>>;
  /** One a light, in their order; absent where nothing was looked at since the sample before. */
  readonly checks?: readonly number[];
  /** Lights that went out for good, by their code, with what was seen; absent where none did. */
  readonly broken?: Readonly<Record<string, string>>;
}

/** Something on its way from one room to another. */
export interface Travel {
  readonly t: number;
  readonly what: 'quote' | 'order' | 'answer' | 'row' | 'notification';
  readonly from: RoomName;
  readonly to: RoomName;
  readonly text: string;
  readonly tone: Tone;
}

/** A fault that strikes. */
export interface Strike {
  readonly t: number;
  readonly fault: string;
  readonly words: string;
  readonly room: RoomName;
}

/** A line of the story in plain words. */
export interface ToldLine {
  readonly t: number;
  readonly text: string;
}

/** A rule that is held against all that happens. */
export interface Light {
  readonly code: string;
  readonly title: string;
}

/** A fault that was drawn: when it is about, where, and what must happen then. */
export interface DrawnFault {
  readonly fault: string;
  readonly what: string;
  readonly happens: string;
  readonly room: RoomName;
  readonly from: number;
  readonly to: number;
}

/** How it ended. */
export interface Ending {
  readonly holds: boolean;
  readonly title: string;
  readonly text: string;
}

/** A row of a score. */
interface ScoreRow {
  readonly rule: string;
  readonly title: string;
  /** How often it could be kept, and how often it was not. */
  readonly chances: number;
  readonly breaches: number;
  /** Null where there was no chance to keep or to break it. */
  readonly points: number | null;
  readonly of: number;
  /** What was seen first that breaks it. */
  readonly first: string | null;
}

/** What a bot has earned, of 100 points, and by which rules. */
export interface Score {
  readonly points: number;
  readonly rows: readonly ScoreRow[];
}

/** What goes on growing while it is still being made. */
export interface Reel {
  readonly samples: readonly Sample[];
  readonly travels: readonly Travel[];
  readonly strikes: readonly Strike[];
  readonly lines: readonly ToldLine[];
}

/** A history with all that is known of it from the start, and how it ended. */
export interface Film extends Reel {
  readonly title: string;
  readonly names: Readonly<Record<RoomName, string>>;
  /** What is fixed from the start. */
  readonly facts: readonly RoomLine[];
  readonly lights: readonly Light[];
  readonly faults: readonly DrawnFault[];
  /** How long it will be. */
  readonly lengthMs: number;
  /** How much of it there is. */
  readonly madeMs: number;
  /** Whether more comes. */
  readonly isLive: boolean;
  readonly verdict: Ending | null;
  readonly score: Score | null;
}
