import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const styled = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the columns of a fleet stand under each other, whatever a daemon says', () => {
  const [, columns] = /\.daemon-row \{[^}]*grid-template-columns: ([^;]*);/.exec(styled('web/fleet/daemon.css')) ?? [];
  expect(columns).toMatch(/160px .* 80px$/);
  expect(columns).not.toContain('auto');
});

test('bars are printed with their colours, on white', () => {
  const [, printed] = /@media print \{(.*)/s.exec(styled('web/style/palette.css')) ?? [];
  expect(printed).toMatch(/:root[^}]*color-scheme: light;\s*print-color-adjust: exact;/);
});

test("a dot on its way down an edge of the arena's rooms does not touch figures on a phone", () => {
  const [, onPhone = ''] = /@media \(max-width: 600px\) \{(.*)/s.exec(styled('web/arena/rooms.css')) ?? [];
  const [, room] = /\.room \{[^}]*padding-right: (\d+)px/.exec(onPhone) ?? [];
  // Half a dot of a quote, and how far it keeps to its side.
  expect(Number(room)).toBeGreaterThan(7 + 5);
});

test('titles of wide tables take several lines, so that none of their columns is cut', () => {
  const [, title] = /\nth \{([^}]*)\}/.exec(styled('web/report/style.css')) ?? [];
  expect(title).toBeDefined();
  expect(title).not.toContain('nowrap');
});

test('a reason of 4,096 characters is a few lines of a table of trades, not all of its page', () => {
  const [, reason] = /#trade-table td:nth-last-child\(2\) \{([^}]*)\}/.exec(styled('web/report/style.css')) ?? [];
  expect(reason).toMatch(/max-width: \d+ch;.*-webkit-line-clamp: [1-4];/s);
});
