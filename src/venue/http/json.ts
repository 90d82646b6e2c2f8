const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object that bytes or a text hold; undefined for anything else, be it valid JSON or not. */
export function jsonObjectOf(body: Buffer | string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : utf8.decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    // Not UTF-8 or not JSON: for whoever asks, the same as JSON that is no object.
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
