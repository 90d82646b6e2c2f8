import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

test("the suite uses nothing of the client's code, and of the venue only its start", () => {
  const allowed =
    /^(node:|vitest$|ws$|fast-check$|\.\/|\.\.\/\.\.\/support\/(property|virtual-timers|venue-settings)\.ts$|#paper-venue\/(venue|settings)\.ts$)/;
  const imports = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, name]) => `${file}: ${name}`));
  expect(imports.filter((line) => !allowed.test(line.split(': ')[1] ?? ''))).toEqual([]);
});
