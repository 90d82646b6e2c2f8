/** The name among `known` that takes the fewest edits from `word`, at most `mostEdits`; undefined where there is none. */
export function nearest(word: string, known: Iterable<string>, mostEdits = Number.POSITIVE_INFINITY): string | undefined {
  const short = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let fewest = mostEdits + 1;
  for (const name of known) {
    const edits = editsBetween(short, name.toLowerCase());
    if (edits < fewest) {
      best = name;
      fewest = edits;
    }
  }
  return best;
}

/** The known name that a typing error may have meant, at most one edit for each three letters, or whose beginning was typed. Undefined for none. */
export function similar(word: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const begins = (name: string): boolean => word.length >= MIN_BEGIN && name.toLowerCase().startsWith(word.toLowerCase());
  return nearest(word, names, Math.max(1, Math.floor(word.length / 3))) ?? names.find(begins);
}

/** A beginning of fewer letters could be that of anything. */
const MIN_BEGIN = 4;

/** A hint for an unknown name: the known name that it may mean, else all of them. Empty if none are known. */
export function knownHint(word: string, known: Iterable<string>): string {
  const names = [...known];
  const near = similar(word, names);
  if (near !== undefined) return `; the nearest is ${near}`;
  return names.length === 0
    ? ''
    : `; there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' and others' : ''}`;
}

/** Number of edits from one word to another: letters added, left out, replaced, or two neighbours swapped. */
export function editsBetween(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let beforeLast = last;
  for (let row = 1; row <= a.length; row++) {
    const present = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(at(last, column) + 1, at(present, column - 1) + 1, at(last, column - 1) + same);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      }
      present.push(edits);
    }
    beforeLast = last;
    last = present;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
