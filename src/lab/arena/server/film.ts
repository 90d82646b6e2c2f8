/** The data of the arena's page: a history that it can play, stop and rewind. Times in milliseconds from the start. */

/** Where something happens. In a trial the bot takes the place of the daemon, and its reported books that of the disk. */
export type RoomName = 'service' | 'network' | 'disk' | 'daemon';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** One line of a room. */
export interface RoomLine {
  readonly label: string;
  readonly value: string;
  readonly tone: Tone;
}

/** The changes of the rooms up to a time, and the number of checks of each light. */
export interface Sample {
  readonly t: number;
  readonly rooms: Readonly<Partial<Record<RoomName, readonly RoomLine[]>>>;
  /** A number for each light, in order; absent if nothing was checked since the previous sample. */
  readonly checks?: readonly number[];
  /** Broken lights by code, with the cause; absent for none. */
  readonly broken?: Readonly<Record<string, string>>;
}

/** A message in flight between two rooms. */
export interface Travel {
  readonly t: number;
  readonly what: 'quote' | 'order' | 'answer' | 'row' | 'notification';
  readonly from: RoomName;
  readonly to: RoomName;
  readonly text: string;
  readonly tone: Tone;
}

/** A fault that strikes. */
export interface FilmStrike {
  readonly t: number;
  readonly fault: string;
  readonly words: string;
  readonly room: RoomName;
}

/** A line of the log in plain words. */
export interface FilmLine {
  readonly t: number;
  readonly text: string;
}

/** A rule that is checked against every event. */
export interface Light {
  readonly code: string;
  readonly title: string;
}

/** A drawn fault: its time, its place, and the required reaction. */
export interface DrawnFault {
  readonly fault: string;
  readonly what: string;
  readonly happens: string;
  readonly room: RoomName;
  readonly from: number;
  readonly to: number;
}

/** The end of a history. */
export interface FilmEnding {
  readonly holds: boolean;
  readonly title: string;
  readonly text: string;
}

interface ScoreRow {
  readonly rule: string;
  readonly title: string;
  /** Number of chances to keep the rule, and of breaches. */
  readonly chances: number;
  readonly breaches: number;
  /** Null without a chance to keep or break it. */
  readonly points: number | null;
  readonly of: number;
  /** The first breach. */
  readonly first: string | null;
}

/** A bot's score of 100 points, by rule. */
export interface Score {
  readonly points: number;
  readonly rows: readonly ScoreRow[];
}

/** The parts that grow while the film is recorded. */
export interface Reel {
  readonly samples: readonly Sample[];
  readonly travels: readonly Travel[];
  readonly strikes: readonly FilmStrike[];
  readonly lines: readonly FilmLine[];
}

/** A history with its facts and its end. */
export interface Film extends Reel {
  readonly title: string;
  readonly names: Readonly<Record<RoomName, string>>;
  /** Facts that are fixed from the start. */
  readonly facts: readonly RoomLine[];
  readonly lights: readonly Light[];
  readonly faults: readonly DrawnFault[];
  /** Its length, in milliseconds. */
  readonly lengthMs: number;
  /** Its recorded length so far, in milliseconds. */
  readonly madeMs: number;
  /** True while more comes. */
  readonly isLive: boolean;
  readonly verdict: FilmEnding | null;
  readonly score: Score | null;
}
