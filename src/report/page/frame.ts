import { readFileSync } from 'node:fs';
import { escaped, scriptData } from './html.ts';

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Nothing is fetched: a page that tried would be stopped by its reader's own browser. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** What a page of reports is made of; texts but the title are HTML. */
interface PageParts {
  readonly title: string;
  readonly header: string;
  readonly main: string;
  /** What its scripts draw. */
  readonly data: unknown;
  /** Behind the one that all pages share, in their order. */
  readonly scripts: readonly ('report' | 'search' | 'comparison')[];
}

/** A page as one HTML file that needs nothing else: no network, no other file. */
export function framed({ title, header, main, data, scripts }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${asset('./page.css')}</style>
</head>
<body>
<header>
${header}
</header>
<main>
${main}</main>
<script type="application/json" id="data">${scriptData(data)}</script>
${['chart', ...scripts].map((name) => `<script type="module">\n${asset(`./scripts/${name}.js`)}</script>`).join('\n')}
</body>
</html>
`;
}

/** The title of a page with the button of its colours. */
export const topLine = (title: string): string =>
  `<div class="top"><h1>${escaped(title)}</h1><button id="theme" type="button" aria-label="light or dark">light or dark</button></div>`;
