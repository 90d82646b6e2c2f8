import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referencePages } from '../src/wiring/reference.ts';

/** Writes `docs/reference/` and the JSON Schema anew from the code: `npm run reference`. A test keeps them current. */
for (const { path, text } of referencePages()) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
  console.log(path);
}
