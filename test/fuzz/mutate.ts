import type { Seeded } from '#domain/seeded.ts';

/** What breaks readers: edges of numbers, structure, encodings. */
const WORDS: readonly string[] = [
  ...['0', '-0', '-1', '1e400', '1e-7', '1e21', '9007199254740993', '0x10', '1_000', '1,000.50', 'NaN', 'Infinity', '.inf', '010', '~'],
  ...[
    'null',
    'true',
    'false',
    '""',
    '{}',
    '[]',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    '\\',
    '/',
    '?',
    '#',
    '%',
    '&',
    '*',
    '!',
    '|',
    '>',
    '<',
  ],
  ...['__proto__', 'constructor', 'toString', '\u0000', '\r\n', '\n', '\t', ' ', '\ufeff', '\ud800', '\u202e', '\u2028', '%2e%2e', '../'],
  ...['2026-01-01T00:00:03.123Z', '9999-12-31T23:59:59.999999999Z', '1970-01-01', '1767225600000', '00000000-0000-4000-8000-000000000001'],
];
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[A-Za-z_][\w.-]*/g;
const BYTES = [0, 1, 0x0a, 0x20, 0x22, 0x2c, 0x30, 0x39, 0x7b, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xff];

/** Other bytes made of `from`, and of others of the corpus: one to eight changes, of which any may be of any kind. */
export function mutated(from: Uint8Array, { random, others, words, most }: Mutating): Uint8Array {
  const below = (n: number): number => Math.floor(random.next() * n);
  const of = <T>(list: readonly T[], otherwise: T): T => list[below(list.length)] ?? otherwise;
  const dictionary = [...WORDS, ...words];
  const change = (bytes: Buffer): Buffer => {
    const at = below(bytes.length + 1);
    const to = Math.min(bytes.length, at + 1 + below(random.next() < 0.8 ? 8 : 64));
    const cut = (middle: Uint8Array): Buffer => Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(to)]);
    switch (below(10)) {
      case 0:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        return bytes;
      case 1:
        if (at < bytes.length) bytes[at] = random.next() < 0.5 ? of(BYTES, 0) : below(256);
        return bytes;
      case 2:
        return cut(Buffer.alloc(0));
      case 3:
        return Buffer.concat([bytes.subarray(0, at), Buffer.from(of(dictionary, '')), bytes.subarray(at)]);
      case 4:
        return cut(Buffer.concat(Array.from({ length: 1 + below(random.next() < 0.9 ? 4 : 200) }, () => bytes.subarray(at, to))));
      case 5: {
        const other = of(others, from);
        const start = below(other.length);
        return cut(other.subarray(start, start + 1 + below(64)));
      }
      case 6: {
        const other = of(others, from);
        return Buffer.concat([bytes.subarray(0, at), other.subarray(below(other.length))]);
      }
      case 7:
        return random.next() < 0.3 ? bytes.subarray(0, at) : cut(Buffer.from(of(dictionary, '')));
      default:
        return tokenChanged(bytes);
    }
  };
  /** One number, text or name for another of the dictionary or of the document itself. */
  const tokenChanged = (bytes: Buffer): Buffer => {
    const text = bytes.toString('latin1');
    const tokens = [...text.matchAll(TOKEN)];
    const token = tokens[below(tokens.length)];
    if (!token) return bytes;
    const plain = random.next() < 0.5 ? of(dictionary, '') : (tokens[below(tokens.length)]?.[0] ?? '');
    const word = Buffer.from(plain).toString('latin1');
    const quoted = token[0].startsWith('"') && !word.startsWith('"') && random.next() < 0.7 ? `"${word}"` : word;
    return Buffer.from(text.slice(0, token.index) + quoted + text.slice(token.index + token[0].length), 'latin1');
  };
  let bytes: Buffer = Buffer.from(from);
  for (let changes = 1 + Math.min(below(8), below(8)); changes > 0; changes -= 1) bytes = change(bytes);
  return bytes.subarray(0, most);
}

export interface Mutating {
  readonly random: Seeded;
  readonly others: readonly Uint8Array[];
  /** Words of the format, on top of those that break every reader. */
  readonly words: readonly string[];
  /** Bytes of the longest input. */
  readonly most: number;
}
