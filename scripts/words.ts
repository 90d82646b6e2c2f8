import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL, figuresOf, GOAL, isGenerated, overOf, WRITTEN } from './words/figures.ts';

/** Prints how long each page is and what is beyond its bounds: `npm run words`. Ends with 1 where something is. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Every page with its figures, and what is beyond the bounds of `scripts/words/figures.ts`, one line each. */
export function measured() {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.map((file) => `docs/${file}`).sort()];
  const pages = new Map(files.map((file) => [file, figuresOf(readFileSync(path.join(ROOT, file), 'utf8'))]));
  const wordsOf = (of: (file: string) => boolean): number => [...pages].reduce((sum, [file, { words }]) => sum + (of(file) ? words : 0), 0);
  const generated = wordsOf(isGenerated);
  const written = wordsOf((file) => !isGenerated(file));
  const faults = [
    ...[...pages].flatMap(([file, figures]) => overOf(figures, GOAL(file)).map((fault) => `${file}: ${fault}`)),
    ...(written > WRITTEN
      ? [
          `written pages: ${written} words, and ${WRITTEN} is the bound: raise WRITTEN (scripts/words/figures.ts) by what your page needs, as long as all pages fit`,
        ]
      : []),
    ...(written + generated > ALL
      ? [`all pages: ${written + generated} words, and ${ALL} is the bound: shorten written pages, and lower WRITTEN`]
      : []),
  ];
  return { pages, written, generated, faults };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { pages, written, generated, faults } = measured();
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
  console.log(`${written} written, at most ${WRITTEN}; ${generated} generated; ${written + generated} in all, at most ${ALL}`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
