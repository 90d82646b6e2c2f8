import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figures, figuresOf, GOAL, overOf } from './words/figures.ts';

/**
 * Prints how long each page is and what is beyond its bounds: `npm run words`. Ends with 1 where something is. With `-- --write` it
 * lowers the bounds to what the pages have come to.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BOUNDS = path.join(ROOT, 'scripts/words/bounds.json');
/** Made from the code: held by the total alone. */
const GENERATED = 'docs/reference/';

/** A page's own bounds while it is not yet rewritten, or where it is a list that cannot be as short as others. */
interface Bounds {
  readonly total: number;
  readonly pages: Readonly<Record<string, Figures>>;
}

/** Every page with its figures, and what is beyond the bounds of `scripts/words/bounds.json`, one line each. */
export function measured() {
  const bounds: Bounds = JSON.parse(readFileSync(BOUNDS, 'utf8'));
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.map((file) => `docs/${file}`).sort()];
  const pages = new Map(files.map((file) => [file, figuresOf(readFileSync(path.join(ROOT, file), 'utf8'))]));
  const total = [...pages.values()].reduce((sum, { words }) => sum + words, 0);
  const written = [...pages].filter(([file]) => !file.startsWith(GENERATED));
  const made = [...pages].filter(([file]) => file.startsWith(GENERATED));
  const faults = [
    ...made.flatMap(([file, { coined }]) => (coined > 0 ? [`${file}: ${coined} words of our own (scripts/words/coined.ts)`] : [])),
    ...written.flatMap(([file, figures]) => overOf(figures, bounds.pages[file] ?? GOAL(file)).map((fault) => `${file}: ${fault}`)),
    ...Object.keys(bounds.pages).flatMap((file) => (pages.has(file) ? [] : [`${file}: has bounds and is no page`])),
    ...(total > bounds.total ? [`all pages: ${total} words, and ${bounds.total} is the bound`] : []),
  ];
  return { pages, total, faults, bounds };
}

/** The next round number of words, so that a fact may be added. */
const roomFor = (words: number, step: number): number => Math.ceil(words / step) * step;

/** The bounds at the pages' figures, or the goal where these are within it, nowhere above those of before. */
function lowered({ pages, total, bounds }: ReturnType<typeof measured>): string {
  const rows = Object.entries(bounds.pages).flatMap(([file, before]) => {
    const [now, goal] = [pages.get(file), GOAL(file)];
    if (!now || overOf(now, goal).length === 0) return [];
    const bound = (name: keyof Figures): number =>
      Math.min(before[name], Math.max(name === 'words' ? roomFor(now[name], 50) : now[name], goal[name]));
    const names = ['words', 'mean', 'long', 'wide', 'coined'] as const;
    return [`    "${file}": { ${names.map((name) => `"${name}": ${bound(name)}`).join(', ')} }`];
  });
  return `{\n  "total": ${Math.min(roomFor(total, 1_000), bounds.total)},\n  "pages": {\n${rows.join(',\n')}\n  }\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(BOUNDS, lowered(measured()));
  const { pages, total, faults } = measured();
  console.log('words  mean sentence  over 35  cells of 15 and more  of our own');
  for (const [file, { words, mean, long, wide, coined }] of pages) {
    const figures = [
      String(words).padStart(5),
      mean.toFixed(1).padStart(13),
      String(long).padStart(7),
      String(wide).padStart(20),
      String(coined).padStart(10),
    ];
    console.log(`${figures.join('  ')}  ${file}`);
  }
  console.log(`${total} in all`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
