/** A text in a source: where it stands, delimiters included, and what it says. */
interface TextToken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A module's source with comments and the insides of texts blanked, so that what is left is code. */
export interface BlankedSource {
  /** As long as the source, line for line: what was blanked became spaces, delimiters of texts stay. */
  readonly code: string;
  /** Quoted texts, in order; not templates. */
  readonly texts: readonly TextToken[];
}

/** After one of these a slash begins a regular expression; after any other word, a number or a closing bracket it divides. */
const REGEX_AFTER = /(?:^|[({[,;:=!&|?+\-*%~^<>]|(?:^|[^.\w$])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof))\s*$/;

/** Blanks comments, texts, templates (not the code inside `${}`) and regular expressions of a TypeScript source. */
export function blank(source: string): BlankedSource {
  let code = '';
  const texts: TextToken[] = [];
  /** Depth of braces at which each open `${` ends. */
  const holes: number[] = [];
  let depth = 0;
  let at = 0;
  const keep = (upTo: number) => {
    code += source.slice(at, upTo);
    at = upTo;
  };
  const hide = (upTo: number) => {
    code += source.slice(at, upTo).replaceAll(/[^\n\r]/g, ' ');
    at = upTo;
  };
  const template = () => {
    const end = templateEnd(source, at);
    hide(end);
    if (source[end] === '`') keep(end + 1);
    else if (source[end] === '$') {
      keep(end + 2);
      holes.push(depth);
      depth += 1;
    }
  };
  while (at < source.length) {
    const char = source[at];
    const pair = source.slice(at, at + 2);
    if (pair === '//') hide(lineEnd(source, at));
    else if (pair === '/*') hide(after(source, '*/', at + 2));
    else if (char === '"' || char === "'") {
      const end = textEnd(source, at);
      texts.push({ start: at, end, text: source.slice(at + 1, end - 1) });
      keep(at + 1);
      hide(Math.max(at, end - 1));
      keep(end);
    } else if (char === '`') {
      keep(at + 1);
      template();
    } else if (char === '}' && holes.at(-1) === depth - 1) {
      holes.pop();
      depth -= 1;
      keep(at + 1);
      template();
    } else if (char === '/' && REGEX_AFTER.test(code.slice(-40))) {
      hide(regexEnd(source, at));
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      keep(at + 1);
    }
  }
  return { code, texts };
}

/** The line, from 1, on which a position stands. */
export function lineOf(source: string, position: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at >= 0 && at < position; at = source.indexOf('\n', at + 1)) line += 1;
  return line;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

function after(source: string, what: string, from: number): number {
  const end = source.indexOf(what, from);
  return end < 0 ? source.length : end + what.length;
}

/** Position after the closing quote; an unclosed text ends with its line. */
function textEnd(source: string, from: number): number {
  const quote = source[from];
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === quote) return at + 1;
    else if (char === '\n') return at;
  }
  return source.length;
}

/** Position of the closing backtick, or of the next `${`. */
function templateEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '`' || (char === '$' && source[at + 1] === '{')) return at;
  }
  return source.length;
}

/** Position after a regular expression's closing slash; one that does not close on its line was a division. */
function regexEnd(source: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at];
    if (char === '\n') break;
    if (char === '\\') at += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at + 1;
  }
  return from + 1;
}
