import { parseAst } from 'vitest/node';

/** Words of our own for what has a name, each with the name. What is read by users has the name: pages, help and messages. */
const COINED: readonly (readonly [word: RegExp, name: string])[] = [
  [/\bdrawn histor(?:y|ies)\b/i, 'simulation'],
  [/\blent lanes?\b/i, 'temporary lane'],
  [/\bby hand\b/i, 'manual'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\btold\b/i, 'reported'],
  [/\b(?:held|holds?)\b[\w ]{1,40}\bagainst\b/i, 'compared'],
];

/** The coined words of a text, as `told (reported)`. */
export const coinedIn = (text: string): readonly string[] =>
  COINED.flatMap(([word, name]) => [...text.matchAll(new RegExp(word, 'gi'))].map(([found]) => `${found} (${name})`));

/** The texts of several words in a source, apart from comments: what it may print. Throws where it cannot be parsed. */
export function textsIn(code: string, file: string): readonly string[] {
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') texts.push(node.value);
    else if (node.type === 'TemplateElement' && 'value' in node) texts.push(rawOf(node.value));
    else if (node.type === 'JSXText' && 'value' in node) texts.push(String(node.value));
    else for (const field of Object.values(node)) walk(field);
  };
  walk(parseAst(code, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file));
  return texts.filter((text) => text.trim().includes(' '));
}

const rawOf = (value: unknown): string => (typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '');
