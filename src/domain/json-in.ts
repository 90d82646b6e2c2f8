/** The JSON value of a text; undefined where it is none. */
export function jsonIn<Value = unknown>(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what came instead.
    return undefined;
  }
}
