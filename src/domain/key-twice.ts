/** Texts and what opens and closes objects and lists; a text with a colon behind it is a key. */
const TOKENS = /("(?:[^"\\]+|\\.)*")(\s*:)?|[{}[\]]/gs;

/**
 * A key that an object of a JSON text has twice, at any depth; undefined for none. One reader takes the last of them and another one the
 * first, so that two read two orders. The text must be JSON.
 */
export function keyTwice(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined) {
      const key: string = JSON.parse(text);
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
