import { createHash } from 'node:crypto';
import { never } from '#domain/errors.ts';
import { keyTwice } from '#domain/key-twice.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import { shortLine } from '#domain/one-line.ts';
import { type OutsideSignal, readFields, type SignalSchema, timeIn } from '#domain/outside-signal.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { spanText } from '#domain/settings/spans.ts';

/** Bounds of a source, and the fields that strategies want of it. */
export interface SourceBounds {
  readonly source: LaneId;
  readonly schemas: readonly SignalSchema[];
  readonly maxBytes: number;
  readonly perSecond: number;
  /** How old a signal may be as it arrives, by its sender's clock, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Why a signal is refused. */
export type SignalRefusal = 'TOKEN' | 'SIZE' | 'BODY' | 'DEPTH' | 'FLOOD' | 'SCHEMA' | 'TIME' | 'LATE' | 'EARLY' | 'REPEAT' | 'UNAVAILABLE';

/** The answer to a sender. `field` and `must` name what its schema lacks. */
export type GateAnswer =
  | { readonly taken: true; readonly id: string; readonly test?: true }
  | { readonly taken: false; readonly error: SignalRefusal; readonly field?: string; readonly must?: string };

interface GateOptions extends SourceBounds {
  /** Ids that were taken before, oldest first. */
  readonly taken: readonly string[];
  /** Unix milliseconds of this machine. */
  readonly now: () => Millis;
  /** Resolves to true once it is on the disk; false where it cannot be written now. */
  readonly keep: (signal: OutsideSignal) => Promise<boolean>;
}

/** How far the clock of a sender may be ahead, in milliseconds. */
const AHEAD_MS = 5_000;
const MAX_DEPTH = 8;
const MAX_ID = 100;
const ID_MUST = `must be text of at most ${MAX_ID} characters, or a number that keeps its digits`;
/** Ids that are remembered; a repeat of an older signal is late. */
const IDS_KEPT = 10_000;

/** The one gate of a source, whatever its signals come by: reads them, refuses what is wrong, and has the others kept, each once. */
export class SignalGate {
  readonly bounds: SourceBounds;
  private readonly options: GateOptions;
  /** By id, whether it is kept; pending while that is not known. */
  private readonly ids: Map<string, Promise<boolean>>;
  private arrivals: Millis[] = [];

  constructor(options: GateOptions) {
    this.options = options;
    this.bounds = options;
    this.ids = new Map(options.taken.map((id) => [id, Promise.resolve(true)]));
  }

  /** Takes the body of a signal, JSON or a form. A test has no effect. */
  receive(body: Buffer, { isTest }: { readonly isTest: boolean } = { isTest: false }): Promise<GateAnswer> | GateAnswer {
    const { now, perSecond } = this.options;
    const at = now();
    this.arrivals = this.arrivals.filter((one) => one > at - 1000 && one <= at);
    if (this.arrivals.length >= perSecond) return refused('FLOOD');
    this.arrivals.push(at);
    const fields = fieldsIn(body);
    if (!fields) return refused('BODY');
    if (isDeep(fields, MAX_DEPTH)) return refused('DEPTH');
    const twice = twiceIn(body);
    if (twice !== undefined) return { ...refused('SCHEMA'), field: shortLine(twice), must: 'is given twice' };
    const read = this.read(fields, body, at);
    if ('taken' in read) return read;
    return isTest ? { taken: true, id: read.id, test: true } : this.keep(read);
  }

  private read(fields: Fields, body: Buffer, at: Millis): OutsideSignal | GateAnswer {
    const { schemas, maxAgeMs } = this.options;
    const madeAt = fields.made === undefined ? null : (timeIn(fields.made) ?? undefined);
    if (madeAt === undefined) return { ...refused('TIME'), field: 'made', must: 'must be ISO 8601 with a zone, or Unix seconds' };
    const id = idIn(fields);
    if (id === undefined) return { ...refused('SCHEMA'), field: 'id', must: ID_MUST };
    const read = readFields(schemas, fields);
    if ('field' in read) return { ...refused('SCHEMA'), ...read };
    if (madeAt !== null && at - madeAt > maxAgeMs) return refused('LATE');
    if (madeAt !== null && madeAt - at > AHEAD_MS) return refused('EARLY');
    return { id: id ?? this.ownId(body, madeAt, at), madeAt, value: read.value };
  }

  private async keep(signal: OutsideSignal): Promise<GateAnswer> {
    const { id } = signal;
    const before = this.ids.get(id);
    if (before) return refused((await before) ? 'REPEAT' : 'UNAVAILABLE');
    const kept = this.options.keep(signal);
    this.ids.set(id, kept);
    const [oldest] = this.ids.keys();
    if (this.ids.size > IDS_KEPT && oldest !== undefined) this.ids.delete(oldest);
    if (await kept) return { taken: true, id };
    this.ids.delete(id);
    return refused('UNAVAILABLE');
  }

  /** Without an id of its sender, a signal that says when it was made is told by its bytes; any other is new each time. */
  private ownId(body: Buffer, madeAt: Millis | null, at: Millis): string {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
    return madeAt === null ? `${at}-${this.ids.size}-${hash}` : hash;
  }
}

/** Why a signal was refused and what helps, in one sentence for its sender. */
export function refusalText(
  { error, field, must }: Extract<GateAnswer, { taken: false }>,
  { maxBytes, perSecond, maxAgeMs }: SourceBounds,
): string {
  switch (error) {
    case 'TOKEN':
      return 'the token of this source is missing or wrong: kairos signals token prints it';
    case 'SIZE':
      return `it has more than ${maxBytes} bytes, maxBytes of its source`;
    case 'BODY':
      return 'its body is no JSON object and no form, such as {"score": 0.7} or score=0.7';
    case 'DEPTH':
      return 'its fields are too deep: send numbers, texts and flags';
    case 'FLOOD':
      return `more than ${perSecond} came in a second, perSecond of its source: wait and send it again`;
    case 'SCHEMA':
    case 'TIME':
      return `${field} ${must}`;
    case 'LATE':
      return `it was made more than ${spanText(maxAgeMs)} ago, maxAge of its source: is the sender's clock right?`;
    case 'EARLY':
      return "it was made in the future: is the sender's clock right?";
    case 'REPEAT':
      return 'it was taken before, and has had its effect';
    case 'UNAVAILABLE':
      return 'it cannot be written now: send it again';
    default:
      return never(error);
  }
}

type Fields = Readonly<Record<string, unknown>>;

export const refused = (error: SignalRefusal): { readonly taken: false; readonly error: SignalRefusal } => ({ taken: false, error });

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The fields of a JSON object, or of a form. */
export function fieldsIn(body: Buffer): Fields | undefined {
  try {
    const text = UTF8.decode(body).trim();
    if (!text.startsWith('{')) return text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : undefined;
    const value: unknown = JSON.parse(text);
    return isGroup(value) ? value : undefined;
  } catch {
    // Neither UTF-8 nor JSON: the caller refuses it.
    return undefined;
  }
}

/** A field that a readable body has twice. */
function twiceIn(body: Buffer): string | undefined {
  const text = body.toString('utf8').trim();
  if (text.startsWith('{')) return keyTwice(text);
  const names = [...new URLSearchParams(text).keys()];
  return names.find((name, at) => names.indexOf(name) < at);
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
}

/** Null for a signal without an id; undefined for an id that cannot be kept whole: its repeat would not be known, or another taken for it. */
function idIn({ id = null }: Fields): string | null | undefined {
  if (id === null || id === '') return null;
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? String(id) : undefined;
  return typeof id === 'string' && id.length <= MAX_ID && id.isWellFormed() ? id : undefined;
}
