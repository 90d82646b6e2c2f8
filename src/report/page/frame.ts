import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#domain/errors.ts';
import { escaped, scriptData } from './html.ts';
import { builtPage } from './page-build.ts';
import type { PageData } from './page-data.ts';

/** The source of the script and the style of all pages of reports. */
const SOURCE = fileURLToPath(new URL('../../../web/report', import.meta.url));

/** Nothing is fetched: a page that tried would be stopped by its reader's own browser. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** What a page of reports is made of; texts but the title are HTML. */
interface PageParts {
  readonly title: string;
  readonly header: string;
  readonly main: string;
  readonly data: PageData;
}

/** A page as one HTML file that needs nothing else: no network, no other file. */
export function framed({ title, header, main, data }: PageParts): string {
  const { script, style, fault } = assets();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${style}</style>
</head>
<body>
<header>
${header}${fault}
</header>
<main>
${main}</main>
<footer><p>All times are UTC. Charts by <a href="https://www.tradingview.com/">TradingView</a> Lightweight Charts™, copyright 2025 TradingView, Inc.</p></footer>
<script type="application/json" id="data">${scriptData(data)}</script>
<script type="module">
${script}</script>
</body>
</html>
`;
}

/** The title of a page, what it is of, and the button of its colours. */
export const topLine = (title: string, when = ''): string =>
  `<div class="top"><h1>${escaped(title)}${when === '' ? '' : ` <small>${escaped(when)}</small>`}</h1><button id="theme" type="button" aria-label="light or dark" title="light or dark">\u25d0</button></div>`;

interface Assets {
  readonly script: string;
  readonly style: string;
  /** What the page says where they could not be built. */
  readonly fault: string;
}

let built: Assets | undefined;

/** Built once in a process, and kept beside what Node keeps compiled: a command that finds it there starts no build. */
function assets(): Assets {
  built ??= builtAssets();
  return built;
}

function builtAssets(): Assets {
  const kept = module.getCompileCacheDir();
  try {
    const files = builtPage({ source: SOURCE, cache: kept === undefined ? null : path.join(kept, 'kairos-report') });
    const text = (name: string): string => Buffer.from(files.find((file) => file.name === name)?.body ?? []).toString();
    return { script: text('main.js'), style: text('style.css'), fault: '' };
  } catch (error) {
    const why = escaped(messageOf(error).split('\n')[0] ?? '');
    const fault = `<p class="warning">No charts and no table of trades: they could not be built (${why}). Run npm ci in the folder of Kairos and make the report again.</p>`;
    return { script: '', style: '', fault };
  }
}
