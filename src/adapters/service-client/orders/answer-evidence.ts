import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import {
  BEGUN_WORDS,
  bare,
  type FieldKind,
  HANDLING,
  KIND_OF,
  NO_TROUBLE,
  ORDER_INSIDE,
  PARTIAL_WORDS,
  REFUSAL,
  ROUND_IT,
  VOID_FIELD,
  WAITS,
  WORD_INSIDE,
} from './answer-fields.ts';

/** A field of an answer with what it holds. */
export interface AnswerField {
  /** Its path, such as `data.orderStatus`. */
  readonly field: string;
  readonly value: unknown;
}

/**
 * What one field says of an order. `done`: executed; `begun`: a success; `none`: nothing of it is executed yet; `empty`: nothing
 * stands where the order would; `unclear`: a word that nobody has explained.
 */
type Sign = 'done' | 'begun' | 'id' | 'partial' | 'rejected' | 'against' | 'none' | 'empty' | 'unclear';

/** The first field that gives each sign. */
export type Evidence = Readonly<Partial<Record<Sign, AnswerField>>>;

/** Which words and fields of an answer mean what, from the settings. */
export interface EvidenceRules {
  /** Words that mean executed, in any case. */
  readonly filledStatuses: readonly string[];
  /** Words that mean that nothing was executed and nothing will be. */
  readonly rejectedStatuses: readonly string[];
  /** Fields that say nothing about an order, by name. */
  readonly ignoredFields: readonly string[];
}

/** The order that was asked for, as far as an answer can echo it. */
interface AskedOrder {
  readonly quoteId: string;
  readonly product: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly side: 'buy' | 'sell';
}

const SPEAKS_AGAINST: ReadonlySet<Sign> = new Set(['against', 'rejected', 'unclear']);

const DEEPEST = 12;
const MAX_FIELDS = 2000;

/** Looks through an answer, at every depth, for what it says of the order. */
export function evidenceIn(body: Fields, rules: EvidenceRules, asked: AskedOrder): Evidence {
  return new Search(rules, asked).through(body);
}

/** What a bare word says; null for nothing. */
export function signOfWord(text: string, rules: EvidenceRules): Sign | null {
  const word = bare(text);
  if (word === '') return null;
  if (has(rules.rejectedStatuses, word)) return 'rejected';
  if (has(rules.filledStatuses, word)) return has(BEGUN_WORDS, word) ? 'begun' : 'done';
  if (has(PARTIAL_WORDS, word)) return 'partial';
  return refuses(text) ? 'against' : 'unclear';
}

/** True where a text has a word of refusal. */
const refuses = (text: string): boolean => refusalIn(text) !== undefined;

const REFUSAL_WORD = new RegExp(`(?:${REFUSAL.source})[a-z]*`, 'i');

/** The word of refusal in a text; undefined for none. A field of JSON that is empty, as in `"error":null`, is no refusal. */
export function refusalIn(text: string): string | undefined {
  const said = text.replace(VOID_FIELD, '').replace(/[_-]/g, ' ').replace(NO_TROUBLE, '');
  const [word] = REFUSAL_WORD.exec(said) ?? [];
  return word;
}

/** Where an object stands, and whether it is the value of a status, so that its texts are words of it. */
interface At {
  readonly path: readonly string[];
  readonly place: 'order' | 'round' | 'elsewhere';
  readonly word: boolean;
}

function placeUnder(place: At['place'], key: string): At['place'] {
  if (place !== 'order') return 'elsewhere';
  return ORDER_INSIDE.includes(key) ? 'order' : ROUND_IT.includes(key) ? 'round' : 'elsewhere';
}

class Search {
  private readonly rules: EvidenceRules;
  private readonly asked: AskedOrder;
  private readonly ignored: ReadonlySet<string>;
  private readonly echoes: ReadonlyMap<string, string>;
  private readonly found: { -readonly [Name in Sign]?: AnswerField } = {};
  private count = 0;

  constructor(rules: EvidenceRules, asked: AskedOrder) {
    this.rules = rules;
    this.asked = asked;
    this.ignored = new Set(rules.ignoredFields.map(bare));
    const { quoteId, product, baseCcy, quoteCcy } = asked;
    this.echoes = new Map(Object.entries({ quoteId, productCode: product, baseCcy, quoteCcy }).map(([name, of]) => [bare(name), of]));
  }

  through(body: Fields): Evidence {
    this.inspect(body, { path: [], place: 'order', word: false });
    return this.found;
  }

  private inspect(body: Fields, at: At): void {
    for (const [name, value] of Object.entries(body)) {
      const key = bare(name);
      if (this.ignored.has(key)) continue;
      const path = [...at.path, name];
      this.count += 1;
      if (path.length > DEEPEST || this.count > MAX_FIELDS) {
        this.note('unclear', { field: path.slice(0, 2).join('.'), value: 'too much to read' });
        return;
      }
      const kind = at.word && WORD_INSIDE.includes(key) ? 'word' : KIND_OF.get(key);
      this.hear(value, path, (said) => this.signOf(kind, key, said, at));
      const word = kind === 'word' && !ORDER_INSIDE.includes(key);
      if (kind !== 'error') this.within(value, { path, place: placeUnder(at.place, key), word });
    }
  }

  /** Notes what a field says. Of several texts each may speak against the order; for it speaks one alone. */
  private hear(value: unknown, path: readonly string[], signOf: (said: unknown) => Sign | null): void {
    const field = path.join('.');
    const sign = signOf(value);
    if (sign !== null) this.note(sign, { field, value });
    for (const said of Array.isArray(value) ? value : []) {
      const own = typeof said === 'string' ? signOf(said) : null;
      if (own !== null && SPEAKS_AGAINST.has(own)) this.note(own, { field, value: said });
    }
  }

  private signOf(kind: FieldKind | undefined, key: string, value: unknown, at: At): Sign | null {
    if (kind === undefined) return unnamed(key, value, at);
    if (kind !== 'echo') return this.sign(kind, value, at);
    return typeof value === 'string' && value !== '' && bare(value) !== bare(this.echoes.get(key) ?? value) ? 'against' : null;
  }

  private within(value: unknown, at: At): void {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const inside of all) if (isFields(inside)) this.inspect(inside, all.length > 1 ? { ...at, place: 'elsewhere' } : at);
  }

  private note(sign: Sign, said: AnswerField): void {
    this.found[sign] ??= said;
  }

  /** What a field says by its kind. Outside the order itself only what speaks against it counts. */
  private sign(kind: Exclude<FieldKind, 'echo'>, value: unknown, { place, word }: At): Sign | null {
    const sign = this.read(kind, value, place);
    return place === 'order' || word || sign === 'against' || sign === 'rejected' ? sign : null;
  }

  private read(kind: Exclude<FieldKind, 'echo'>, value: unknown, place: At['place']): Sign | null {
    switch (kind) {
      case 'word':
        return this.word(value);
      case 'flag':
        return flagSign(value) ?? this.flagWord(value);
      case 'taken':
        return flagSign(value) === 'against' ? 'against' : this.refusal(value);
      case 'denial':
        return isVoid(value, this.rules) || flagSign(value) === 'against' ? null : 'against';
      case 'code':
        return place === 'elsewhere' ? null : this.code(value);
      case 'error':
        return isVoid(value, this.rules) ? null : 'against';
      case 'text':
        return place === 'elsewhere' ? null : textSign(value);
      case 'fills':
        return isBare(value) ? 'none' : null;
      case 'left':
        return Number(value) > 0 ? 'none' : null;
      case 'id':
        return this.isId(value) ? 'id' : null;
      case 'side':
        return isOtherSide(value, this.asked.side) ? 'against' : null;
    }
  }

  /** A time or a figure under the name of a flag says nothing. */
  private flagWord(value: unknown): Sign | null {
    const sign = typeof value === 'string' ? this.word(value) : null;
    return sign === 'unclear' ? null : sign;
  }

  /** What a text under the name of a flag says against the order. */
  private refusal(value: unknown): Sign | null {
    const sign = this.flagWord(value);
    return sign === 'rejected' || sign === 'against' ? sign : null;
  }

  private word(value: unknown): Sign | null {
    if (value === null || typeof value === 'object') return null;
    if (typeof value === 'boolean') return flagSign(value);
    const sign = signOfWord(String(value), this.rules);
    return isDigits(value) && sign === 'unclear' ? statusSign(Number(value)) : sign;
  }

  private code(value: unknown): Sign | null {
    if (isVoid(value, this.rules) || typeof value === 'object') return null;
    if (isDigits(value)) return statusSign(Number(value)) === 'begun' ? 'begun' : 'against';
    const sign = this.word(value);
    return sign === 'unclear' ? 'against' : sign;
  }

  /** An id of the service's own: a quote's id that comes back proves no order. */
  private isId(value: unknown): boolean {
    if (typeof value === 'number') return value > 0;
    return typeof value === 'string' && value !== '' && !/^0+$/.test(value) && value.toLowerCase() !== this.asked.quoteId.toLowerCase();
  }
}

const SET_ASIDE: ReadonlySet<string> = new Set(HANDLING.map(bare));
const MAX_TEXT = 200;

/** What a field says that stands in no row: a text of refusal is against the order, and where the order would stand, nothing is none. */
function unnamed(key: string, value: unknown, { place }: At): Sign | null {
  if (place === 'elsewhere') return null;
  if (ORDER_INSIDE.includes(key) && isBare(value)) return 'empty';
  const isText = typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('/');
  return isText && !SET_ASIDE.has(key) && refuses(value) ? 'against' : null;
}

/** Null, an empty list or an empty object. */
const isBare = (value: unknown): boolean => value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

const has = (words: readonly string[], word: string): boolean => words.some((one) => bare(one) === word);

const isDigits = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value.trim()));

/** A status of HTTP inside the body; 202 says that the rest is still to come. */
function statusSign(status: number): Sign {
  if (status >= 200 && status <= 299 && status !== 202) return 'begun';
  return status >= 400 && status <= 599 ? 'against' : 'unclear';
}

function flagSign(value: unknown): Sign | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 1 || word === 'true' || word === 'yes') return 'begun';
  return word === false || word === 0 || word === 'false' || word === 'no' ? 'against' : null;
}

const NOTHING = /^(?:0+|none|null|no ?error|n\/?a|-)?$/i;

/** True for what stands in a field of errors when there was none. */
function isVoid(value: unknown, rules: EvidenceRules): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'string') {
    if (NOTHING.test(value.trim())) return true;
    const sign = signOfWord(value, rules);
    return sign === 'done' || sign === 'begun';
  }
  if (typeof value !== 'object') return false;
  const inside: readonly unknown[] = Object.values(value);
  return inside.every((one) => isVoid(one, rules) || one === 200);
}

/** What free text says: a refusal, or that the order is still to come. */
function textSign(value: unknown): Sign | null {
  if (typeof value !== 'string') return null;
  return refuses(value) ? 'against' : WAITS.test(value) ? 'none' : null;
}

const SIDES: Readonly<Record<'buy' | 'sell', readonly string[]>> = {
  buy: ['buy', 'b', 'bid', 'bought', 'long'],
  sell: ['sell', 's', 'ask', 'offer', 'sold', 'short', 'sellshort'],
};

/** True for a plain word of the other side; a service's own words say nothing here. */
function isOtherSide(value: unknown, side: 'buy' | 'sell'): boolean {
  return typeof value === 'string' && SIDES[side === 'buy' ? 'sell' : 'buy'].includes(bare(value));
}
