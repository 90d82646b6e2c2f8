import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '#server/control/endpoints.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'What the running daemon answers on `ops.host` and `ops.port`; the start prints the address. A GET changes nothing. A POST acts: it takes a JSON object of at most 4 kB, but for a halt,',
  'and needs `Authorization: Bearer TOKEN` (`ops.token`, else the file `ops-token` beside the journal). `Host`, and `Origin` where there is one, must be the address of the server.',
  'Every POST takes `who` and `why`, which are journaled, and is answered once it is journaled; a halt, pause, close or flatten at once while another program holds the journal, with `journaled: false`. Amounts are decimals as text.',
  '',
  '400: the body is wrong, as `message` says. 401, 403, 415, 429: not let in. 404: there is no such thing. 409: refused now. 503: it cannot be done now.',
  'An error is `{"error": CODE, "message": TEXT}`, by the codes of [errors](errors.md). How to use it: [control](../control.md), [monitoring](../monitoring.md), [the page](../page.md).',
].join('\n');

/** What each path is for that is looked at; acts say it themselves. */
const SAID: Readonly<Record<string, string>> = {
  'GET /healthz': '200 while the main loop turns',
  'GET /readyz': '200 while orders can go out, else 503 with the reasons',
  'GET /metrics': '[what is measured](prometheus.md), for Prometheus',
  'GET /api/state': 'the present: trading, clock, money, strategies, lanes, open orders, limits',
  'GET /api/why-not': 'why each strategy has no order now, as `kairos why-not` says it',
  'GET /api/past': 'of the journal: latches, last decisions, costs, notifications, schedule',
  'GET /api/events':
    'both as they change (`change`: `[value]` by key, `[]` where it is gone) and every decision, as server-sent events; `?after=SEQ` or `Last-Event-ID` goes on from a row',
  'GET /api/arm': 'what would be armed: limits, changes, `configHash` and `build`',
  'GET /api/history/equity': '`?run`: equity and equity drawdown of a run, or of `all`, which may take several answers until `whole`',
  'GET /api/history/chart': '`?product&from&to&bars&refusals`: bars, executions, round trips and signals of a product',
  'GET /api/history/trades': '`?strategy&product&outcome&sort&order&offset&limit`: round trips of all runs',
  'GET /api/history/trades.csv': '`?strategy&product&outcome&sort&order`: the same, all of them, as CSV',
  'GET /api/history/profit': 'what was closed on each day (UTC)',
  'GET /api/history/prices': "`?strategy&run&from&to&points`: prices of a strategy's lane with its fills and refusals",
  'GET /api/history/decisions': '`?before&after&limit&strategy&kind&without`: decisions, newest first; `without` names kinds to leave out',
  'GET /api/replay':
    '`?run&at`, or `&seq`: the run as it was then; `to=decision|order|refusal|alarm` and `back=true|false`: the next or last such row',
  'GET /api/replay/marks': '`?run`: when it placed orders and reported trouble',
  'GET /api/orders/:order': 'the story of an order',
  'GET /api/runs': 'all runs, and the reports that are kept',
  'GET /api/runs/:run/report': 'the report of a run, as HTML',
  'GET /api/compare': 'two runs to six side by side, as HTML; `runs=A,B`',
  'GET /api/reports/:name': 'a report that was kept, as HTML',
  'GET /docs': 'the documentation of the running version; `?q=` searches it',
  'GET /docs/*': 'one page of it',
  'GET /*': 'the page',
  'GET /api/by-hand/:id': 'how far a close, a flatten or an order has come',
  'GET /api/order-check': '`?product&side&size`: what a manual order would cost now, and its checks; nothing is sent',
  'GET /api/modules': 'the strategy modules that a backtest can play',
  'GET /api/parameters': '`?strategy`: what a sweep of it can vary, with the range that it declares',
  'GET /api/remote': "the service's own strategies, read at most every two seconds",
  'GET /api/remote/:id': 'how far such a request has come',
};

/** Every path that the control server answers, as its source adds them. */
export function httpPage(): Page {
  const lines = routes().map((route) => {
    const said = SAID[route] ?? ACTS.get(route);
    if (said === undefined) throw new Error(`nobody says what ${route} is for`);
    return `- \`${route.replace(/:(\w+)/g, (_all, name: string) => name.toUpperCase())}\`: ${said}`;
  });
  const gone = Object.keys(SAID).filter((route) => !routes().includes(route));
  if (gone.length > 0) throw new Error(`the control server has no ${gone.join(', ')}`);
  return page('http', 'HTTP of the control server', `${INTRO}\n\n${lines.join('\n')}`);
}

const FILES = ['../../src/server/control/server.ts', '../../src/server/page/routes.ts'];
const ACTS = new Map(Object.entries(ENDPOINTS).map(([name, { says }]) => [`POST /api/${name}`, says]));

function routes(): readonly string[] {
  const found = FILES.flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    return [...text.matchAll(/\bapp\.(get)(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g)].map(
      ([, method = '', path = '']) => `${method.toUpperCase()} ${path}`,
    );
  });
  return [...found, ...ACTS.keys()];
}
