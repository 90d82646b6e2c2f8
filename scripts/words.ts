import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { figuresOf, GOAL, overOf, TOTAL } from './words/figures.ts';

/** Prints how long each page is and what is beyond its bounds: `npm run words`. Ends with 1 where something is. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Every page with its figures, and what is beyond the bounds of `scripts/words/figures.ts`, one line each. */
export function measured() {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs.map((file) => `docs/${file}`).sort()];
  const pages = new Map(files.map((file) => [file, figuresOf(readFileSync(path.join(ROOT, file), 'utf8'))]));
  const total = [...pages.values()].reduce((sum, { words }) => sum + words, 0);
  const faults = [
    ...[...pages].flatMap(([file, figures]) => overOf(figures, GOAL(file)).map((fault) => `${file}: ${fault}`)),
    ...(total > TOTAL ? [`all pages: ${total} words, and ${TOTAL} is the bound`] : []),
  ];
  return { pages, total, faults };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
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
