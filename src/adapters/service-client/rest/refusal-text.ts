import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { jsonIn } from '#domain/json-in.ts';
import { errorBody, type FieldError } from './service-records.ts';

/** What the service says is wrong: its own word, and field by field. */
interface ServiceRefusal {
  readonly error: string;
  readonly fields: readonly FieldError[];
}

const MAX_FIELDS = 20;

/** Reads the body of a refusal; null where it is not one of the service's. */
export function refusalIn(text: string): ServiceRefusal | null {
  const body = errorBody.safeParse(jsonIn(text));
  if (!body.success) return null;
  const { error, errorCode, errors } = body.data;
  const words = [error, errorCode].flatMap((word) => (word == null || word === '' ? [] : [printable(String(word), 200)]));
  const fields = (errors ?? []).slice(0, MAX_FIELDS).map(({ fields: names, description, ...rest }) => ({
    fields: names.slice(0, MAX_FIELDS).map((name) => printable(name, 64)),
    description: printable(description, 200),
    ...rest,
  }));
  return { error: [...new Set(words)].join(', '), fields };
}

/** Names under which services explain a refusal in a body of their own form (spec 7 leaves it open). */
const EXPLANATIONS = ['detail', 'message', 'description', 'errorMessage', 'errorMsg', 'reason', 'title'] as const;

/** The same as one short text in brackets, empty where the service said nothing: ` (LIMITS; size: is below minSize)`. */
export function refusalText(text: string): string {
  const refusal = refusalIn(text);
  const fields = (refusal?.fields ?? []).map(({ fields: names, description }) =>
    [names.join(', '), description].filter((part) => part !== '').join(': '),
  );
  const parts = [refusal?.error ?? '', ...fields].filter((part) => part !== '');
  const told = parts.length === 0 ? explanationIn(text) : parts.join('; ');
  return told === '' ? '' : ` (${told})`;
}

/** An explanation in another form: under a usual name, or the text itself where it is no markup. */
function explanationIn(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not JSON: a text is its own explanation.
    return text.trimStart().startsWith('<') ? '' : printable(text, 200).trim();
  }
  if (typeof parsed === 'string') return printable(parsed, 200);
  if (typeof parsed !== 'object' || parsed === null) return '';
  const said = new Map<string, unknown>(Object.entries(parsed));
  const explanation = EXPLANATIONS.map((name) => said.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof explanation === 'string' ? printable(explanation, 200) : '';
}
