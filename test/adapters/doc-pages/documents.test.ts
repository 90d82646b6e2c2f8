import { describe, expect, test } from 'vitest';
import { ALERT_EVENTS } from '#adapters/alerts/alert.ts';
import { anchorOf, documentNamed, documents, searched } from '#adapters/doc-pages/documents.ts';
import { documentHtml, hitsHtml } from '#adapters/doc-pages/html.ts';
import { ERRORS } from '#domain/errors.ts';
import { REASONS } from '#domain/reasons.ts';
import { sourcesUnder } from '../../../scripts/reference/rooms.ts';

const ALL = documents();
const page = (text: string) => ({ name: 'how-to/one', title: 'One', text });

describe('what is found', () => {
  test('a page by its name, with or without folder and ending', () => {
    for (const word of ['go-live', 'how-to/go-live', 'docs/how-to/go-live.md', 'Go-Live']) {
      expect(documentNamed(word, ALL)?.title, word).toBe('Go live');
    }
    expect(documentNamed('live', ALL)).toBeUndefined();
  });

  test('parts with every word: titles first, then headings, then texts; a comment in a block of code is no heading', () => {
    const pages = [
      { name: 'a', title: 'Alpha', text: '# Alpha\nbeta gamma\n```\n# delta\n```' },
      { name: 'b', title: 'Other', text: '# Other\nx\n## Beta\nGamma | `y`' },
      { name: 'c', title: 'Beta gamma', text: '# Beta gamma\nz' },
    ];
    expect(searched('gamma beta', pages).map(({ name, heading }) => [name, heading])).toEqual([
      ['c', 'Beta gamma'],
      ['a', 'Alpha'],
      ['b', 'Beta'],
    ]);
    expect(searched('gamma beta', pages)[2]?.line).toBe('Gamma y');
    expect(searched('delta', pages)).toMatchObject([{ name: 'a', heading: 'Alpha' }]);
    expect(searched('delta epsilon', pages)).toEqual([]);
    expect(searched(' ', pages)).toEqual([]);
  });

  test.each([...Object.keys(ERRORS), ...Object.keys(REASONS), ...Object.keys(ALERT_EVENTS)])('%s of a message has a page', (code) => {
    expect(searched(code, ALL)).not.toEqual([]);
  });

  test('each page that a message names is there', () => {
    const named = [...sourcesUnder('src'), ...sourcesUnder('web')].flatMap(({ file, code }) =>
      [...code.matchAll(/\bdocs\/([\w/-]+)\.md(?:#([\w-]+))?/g)].map(([, name = '', anchor]) => ({ file, name, anchor })),
    );
    expect(named.length).toBeGreaterThan(5);
    const lost = named.filter(({ name, anchor }) => {
      const text = ALL.find((one) => one.name === name)?.text;
      const anchors = [...(text ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      return text === undefined || (anchor !== undefined && !anchors.includes(anchor));
    });
    expect(lost).toEqual([]);
  });
});

describe('a page as HTML', () => {
  test('what is no Markdown is text, and no link leads to a script', () => {
    const html = documentHtml(page('# One\n\n<script>alert(1)</script>\n\na <b>b</b> `<i>` [x](javascript:alert(1)) [y](../../src/a.ts)'));
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(html).not.toMatch(/<script|<b>|<i>|javascript:/);
    expect(html).toContain('<code>&lt;i&gt;</code>');
    expect(hitsHtml('"><script>', [])).not.toContain('<script');
  });

  test('links between pages lead to pages here, with their anchors', () => {
    const html = documentHtml(page('# One\n\n## A `b`: c\n\n[x](two.md#part) [y](../risk.md) [z](#a-b-c) [w](https://example.com/)'));
    for (const to of ['/docs/how-to/two#part', '/docs/risk', '#a-b-c', 'https://example.com/']) expect(html).toContain(`<a href="${to}">`);
    expect(html).toContain('<h2 id="a-b-c">A <code>b</code>: c</h2>');
  });

  test('every page of the documentation: its links lead to pages, and its tables are tables', () => {
    for (const document of ALL) {
      const html = documentHtml(document);
      expect(html, document.name).not.toMatch(/<script|<p>\|/);
      for (const [, name = ''] of html.matchAll(/href="\/docs\/([^"#]+)/g))
        expect(documentNamed(name, ALL)?.name, document.name).toBe(name);
    }
  });
});
