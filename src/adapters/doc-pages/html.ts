import path from 'node:path';
import { Marked } from 'marked';
import { anchorOf, type Document, type Hit } from './documents.ts';

/** A page as HTML: no script, and what is no Markdown is text. */
export function documentHtml({ name, title, text }: Document): string {
  const marked = new Marked({
    renderer: {
      html: ({ text: raw }) => escaped(raw),
      image: ({ text: shown }) => `<em>${escaped(shown)}</em>`,
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${escaped(anchorOf(heading))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const to = addressOf(href, name);
        return to === undefined ? shown : `<a href="${escaped(to)}">${shown}</a>`;
      },
    },
  });
  // What scrolls sideways is reached by keys.
  return frame(title, marked.parse(text, { async: false }).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">'));
}

/** What a search found, as HTML. */
export function hitsHtml(search: string, hits: readonly Hit[]): string {
  const found = hits.map(
    ({ name, title, heading, line }) =>
      `<li><a href="/docs/${escaped(`${name}#${anchorOf(heading)}`)}">${escaped(title)}${heading === title ? '' : `: ${escaped(heading)}`}</a><p>${escaped(line)}</p></li>`,
  );
  const list = found.length === 0 ? '<p>No page has all of these words.</p>' : `<ul>${found.join('\n')}</ul>`;
  return frame(`Search: ${search}`, `<h1>${escaped(search)}</h1>${list}`, search);
}

const frame = (title: string, body: string, search = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} - Kairos</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<body class="document">
<header><a href="/">Kairos</a> <a href="/docs">Docs</a>
<form action="/docs" role="search"><input type="search" name="q" aria-label="Search the documentation" value="${escaped(search)}"> <button class="act">Search</button></form></header>
<main>${body}</main>
</html>
`;

/** Where a link of a page leads here; undefined for a file that is no page. */
function addressOf(href: string, from: string): string | undefined {
  if (/^https?:|^#/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const to = path.posix.join(path.posix.dirname(from), file);
  if (!to.endsWith('.md') || to.startsWith('..')) return undefined;
  return `/docs/${to.slice(0, -'.md'.length)}${anchor === undefined ? '' : `#${anchor}`}`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
