import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { linkTo, PAGE, rows } from '../scripts/interface.ts';
import { NOT_TESTED, RULES } from '../scripts/interface-rules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SPECIFICATION = path.join(ROOT, '../shared/spec/interface.md');

test('every rule of the interface has a test on each side, or a reason why not', () => {
  const missing = rows().flatMap(({ rule, shown }) =>
    (['venue', 'client'] as const).flatMap((side) => {
      const hasReason = rule in NOT_TESTED[side];
      return shown[side].length > 0 === hasReason ? [`${side} ${rule}`] : [];
    }),
  );
  expect(missing).toEqual([]);
});

test(`${PAGE} has every rule, and names tests that are there (mend with: npm run interface)`, () => {
  const lines = readFileSync(path.join(ROOT, PAGE), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .flatMap((line) => {
      const [rules = '', venue = '', client = ''] = line.slice(2, -2).split(/(?<!\\) \| /);
      return rules
        .replaceAll('`', '')
        .split(', ')
        .map((rule) => ({ rule, venue, client }));
    });
  expect(lines.map(({ rule }) => rule)).toEqual(RULES);
  for (const [index, { rule, shown }] of rows().entries()) {
    for (const side of ['venue', 'client'] as const) {
      const named = NOT_TESTED[side][rule] === undefined ? shown[side].map(linkTo) : [NOT_TESTED[side][rule]];
      expect(named, `${side} ${rule}`).toContain(lines[index]?.[side]);
    }
  }
});

test.skipIf(!existsSync(SPECIFICATION) && process.env.CI === undefined)(
  'the list of rules is that of the specification (skipped where ../shared is absent)',
  () => {
    expect([...RULES].sort()).toEqual([...rulesIn(readFileSync(SPECIFICATION, 'utf8'))].sort());
  },
);

/** Tables whose rows are numbered, and not named by their first cell; by the heading that stands before them. */
const NUMBERED: Readonly<Record<string, string>> = {
  'Quote feed connection': '3.feed',
  'Webhook delivery': '3.webhook',
  '7. Errors': '7',
  '8. Limits': '8',
};
/** Lists whose rules are named apart from their section's first list, by the words before them. */
const LISTS: readonly (readonly [RegExp, string])[] = [
  [/^### Typical flow/, '1.flow'],
  [/^Modify \(PATCH\) rules/, '4.1.modify'],
  [/^Signature rules/, '5.1.s'],
];

/** Reads the rules off the specification: fields and rows of its tables in sections 2 to 8, and its numbered lists. */
function rulesIn(text: string): ReadonlySet<string> {
  const rules = new Set<string>();
  let section = '';
  let heading = '';
  let message = '';
  let list = '';
  let row = 0;
  for (const line of text.split('\n')) {
    const title = /^#{2,3} (.*)/.exec(line)?.[1];
    if (title !== undefined) {
      section = /^(\d+(?:\.\d+)?)/.exec(title)?.[1] ?? section;
      heading = title;
      [list, message, row] = ['', '', 0];
    }
    list = LISTS.find(([start]) => start.test(line))?.[1] ?? list;
    message = /^\*\*(\w+)\*\* \(/.exec(line)?.[1] ?? message;
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (rule !== undefined && (list !== '' || /^[2-9]/.test(section))) {
      rules.add(list === '5.1.s' ? `5.1.s${rule}` : `${list === '' ? section : list}.${rule}`);
    }
    if (/^\|[- |]+\|$/.test(line)) row = 0;
    else if (
      line.startsWith('|') &&
      !/^\| (Field|Method|Action|Header|State|Condition|Limit|Item|Code|notificationType|Rule) \|/.test(line)
    ) {
      row += 1;
      const cells = line.split('|').map((cell) => cell.trim());
      for (const id of idsOf({ section, heading, message, row, cells })) rules.add(id);
    }
    // Named in a sentence, and not in a table.
    if (line.startsWith('Quote side object')) {
      for (const [, name] of line.split(':')[1]?.matchAll(/`(\w+)`/g) ?? []) rules.add(`2.8.side.${name}`);
    }
    for (const [, kind] of section === '2.8' ? line.matchAll(/\*\*(BQ|FQ)\*\*/g) : []) rules.add(`2.8.${kind}`);
    if (line.startsWith('JSON object, UTF-8. Field `notificationType`')) rules.add('2.9.notificationType');
  }
  return rules;
}

function idsOf(at: { section: string; heading: string; message: string; row: number; cells: readonly string[] }): readonly string[] {
  const { section, heading, message, row, cells } = at;
  const [, first = '', second = '', third = ''] = cells;
  const numbered = NUMBERED[heading];
  if (numbered !== undefined) return [`${numbered}.${row}`];
  switch (section) {
    case '2.4':
      return [`2.4.${first}.${second}`];
    case '2.8':
      return [`2.8.${message}.${first}`];
    case '2.9':
      return [...second.matchAll(/(\w+) \(/g)].map(([, name]) => `2.9.${first}.${name}`);
    case '4.1':
      return [`4.1.${/(\w[\w-]*)`$/.exec(second)?.[1] ?? third}`];
    case '4.2':
    case '4.3':
    case '4.4':
      return [section];
    case '4.5':
      return [`4.5.${first}`];
    case '5.1':
      return [`5.1.3.${first}`];
    default:
      return section.startsWith('2.') ? [`${section}.${first}`] : [];
  }
}
