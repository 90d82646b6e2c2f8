import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referencePages } from './reference/pages.ts';

/** Writes what is made from the code anew: `docs/reference/`, the documents of the paper service, the schema of settings: `npm run reference`. A test keeps them current. */
for (const { path, text } of referencePages()) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
  console.log(path);
}
