import { readFileSync, writeFileSync } from 'node:fs';
import { KairosError, messageOf } from '#domain/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that a project needs to run and to check its strategies. */
const FIELDS = ['type', 'scripts', 'devDependencies', 'optionalDependencies'];
const NO_TEST = 'echo "Error: no test specified" && exit 1';

/**
 * Adds to a `package.json` that depends on Kairos what it lacks of a project's own, as `npm install PACKAGE` leaves it in an empty
 * folder. What it has stays, except the test that `npm init` puts there, which fails. Returns the fields that got something; undefined without that dependency. Throws USAGE for what is no JSON.
 */
export function completePackage(file: string, whole: Fields): readonly string[] | undefined {
  const own = fieldsIn(file);
  if (!('kairos' in asFields(own.dependencies))) return undefined;
  const additions = FIELDS.flatMap((name): [string, unknown][] => {
    const [has, wanted] = [own[name], whole[name]];
    if (typeof wanted !== 'object') return has === undefined ? [[name, wanted]] : [];
    const kept = Object.fromEntries(Object.entries(asFields(has)).filter(([, value]) => value !== NO_TEST));
    const merged = { ...wanted, ...kept };
    return Object.keys(merged).length > Object.keys(kept).length ? [[name, merged]] : [];
  });
  if (additions.length > 0) writeFileSync(file, `${JSON.stringify({ ...own, ...Object.fromEntries(additions) }, null, 2)}\n`);
  return additions.map(([name]) => name);
}

function fieldsIn(file: string): Fields {
  try {
    return asFields(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new KairosError('USAGE', `${file} is no package.json of npm: ${messageOf(error)}`);
  }
}

const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
