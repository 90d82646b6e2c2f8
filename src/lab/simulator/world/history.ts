import { createHash } from 'node:crypto';

const KEPT = 400;
/** Characters that are hashed at once: a hash of each line by itself costs more than the lines. */
const HASHED_AT_ONCE = 16_384;

/** The events of a world as one hash, and the last of them in plain words. */
export class EventHistory {
  private readonly sum = createHash('sha256');
  private waiting = '';
  private readonly last: string[] = [];
  private readonly now: () => number;
  /** The folder of the history, which is left out since it differs each time. */
  private readonly hidden: string;
  /** Called for each line of words and each note. */
  onLine: (line: string) => void = () => {};
  onNote: (line: string) => void = () => {};

  constructor(now: () => number, hidden: string) {
    this.now = now;
    this.hidden = hidden;
  }

  /** Notes bytes or texts on a wire or on the disk. */
  note(what: string): void {
    const line = `${this.now()} ${what}\n`;
    this.waiting += line;
    if (this.waiting.length > HASHED_AT_ONCE) this.hashWaiting();
    this.onNote(line);
  }

  /** Adds a line for people who read a failure. */
  tell(said: string): void {
    const words = said.replaceAll(this.hidden, '');
    this.note(words);
    const line = `${clockText(this.now())}  ${words}`;
    this.last.push(line);
    if (this.last.length > KEPT) this.last.shift();
    this.onLine(line);
  }

  /** The last lines, oldest first. */
  lines(count: number): readonly string[] {
    return this.last.slice(-count);
  }

  hash(): string {
    this.hashWaiting();
    return this.sum.copy().digest('hex');
  }

  private hashWaiting(): void {
    this.sum.update(this.waiting);
    this.waiting = '';
  }
}

/** World time as hours, minutes, seconds and milliseconds. */
export function clockText(ms: number): string {
  const whole = Math.floor(ms);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  return `${part(Math.floor(whole / 3_600_000), 2)}:${part(Math.floor(whole / 60_000) % 60, 2)}:${part(Math.floor(whole / 1000) % 60, 2)}.${part(whole % 1000, 3)}`;
}
