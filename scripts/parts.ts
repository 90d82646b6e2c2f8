import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPage } from '#report/page/page-build.ts';

/** Writes a page that shows all parts of the pages: `npm run parts`. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The page with its script and style in it, so that a browser opens it from the disk. */
export function partsPage(): string {
  const files = builtPage({ source: path.join(ROOT, 'web', 'gallery'), cache: null });
  const textOf = (name: string): string => Buffer.from(files.find((file) => file.name === name)?.body ?? []).toString();
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Kairos: parts of its pages</title><style>${textOf('style.css')}</style></head>
<body><div id="page"></div><script type="module">${textOf('main.js').replaceAll('</script', '<\\/script')}</script></body></html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(ROOT, 'var', 'parts.html');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, partsPage());
  console.log(`Open ${file} in a browser`);
}
