import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referencePages } from './reference/pages.ts';

/** Writes `docs/reference/`, the documents of the paper service and the list of commands anew from the code: `npm run reference`. A test keeps them current. */
for (const { path, text } of referencePages()) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
  console.log(path);
}
