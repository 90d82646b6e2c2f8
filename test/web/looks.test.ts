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

test('titles of wide tables take several lines, so that none of their columns is cut', () => {
  const [, title] = /\nth \{([^}]*)\}/.exec(styled('web/report/style.css')) ?? [];
  expect(title).toBeDefined();
  expect(title).not.toContain('nowrap');
});
