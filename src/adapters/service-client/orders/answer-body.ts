import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { type Fields, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { jsonIn } from '#domain/json-in.ts';

type AnswerBody =
  | { readonly form: 'empty' }
  | { readonly form: 'object'; readonly fields: Fields }
  /** A bare word, with quotation marks or without. */
  | { readonly form: 'word'; readonly text: string }
  | { readonly form: 'unreadable'; readonly what: string };

const BYTE_ORDER_MARK = /^\ufeff/;
const WORD = /^[A-Za-z][A-Za-z _-]{0,39}$/;

/** The body by its form. An empty object and `null` say as little as nothing at all; a list of one object is that object. */
export function answerBody(text: string): AnswerBody {
  const body = text.replace(BYTE_ORDER_MARK, '').trim();
  if (body === '') return { form: 'empty' };
  if (isDeep(body)) return { form: 'unreadable', what: 'a body nested too deeply' };
  const whole = jsonIn(body);
  const parsed: unknown = Array.isArray(whole) && whole.length === 1 && isFields(whole[0]) ? whole[0] : whole;
  if (parsed === null) return { form: 'empty' };
  if (isFields(parsed)) return Object.keys(parsed).length === 0 ? { form: 'empty' } : { form: 'object', fields: parsed };
  const word = typeof parsed === 'string' ? parsed : parsed === undefined ? body : '';
  if (WORD.test(word)) return { form: 'word', text: word };
  if (Array.isArray(parsed)) return { form: 'unreadable', what: 'a list' };
  return { form: 'unreadable', what: body.startsWith('<') ? 'a page of HTML or XML' : 'a text' };
}

const DEEPEST = 64;

/** True where brackets open deeper than any answer does. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Text of a body as it came over the wire: unpacked where it is packed, whether the header says so or not, and without a byte
 * order mark. What cannot be unpacked within `most` bytes is not complete.
 */
export function bodyText(bytes: Buffer, { encoding, most }: { readonly encoding: string; readonly most: number }) {
  const unpack = unpackerOf(bytes, encoding.trim().toLowerCase());
  if (unpack === undefined) return { text: plain(bytes), complete: true };
  try {
    return { text: plain(unpack(bytes, most)), complete: true };
  } catch {
    // Broken, cut off or too long once unpacked: kept as it came, and read as an incomplete body.
    return { text: bytes.toString('latin1'), complete: false };
  }
}

function unpackerOf(bytes: Buffer, encoding: string): ((bytes: Buffer, most: number) => Buffer) | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.subarray(0, 2).equals(GZIP)) return (packed, maxOutputLength) => gunzipSync(packed, { maxOutputLength });
  if (encoding === 'deflate') return (packed, maxOutputLength) => inflateSync(packed, { maxOutputLength });
  if (encoding !== 'br') return undefined;
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 };
  return (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength, params });
}

const plain = (bytes: Buffer): string => bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
