import { overviewOf } from '../../src/cli/overview.ts';
import { kairosProgram } from '../../src/cli/program.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { REASONS } from '../../src/domain/reasons.ts';
import { asyncApi } from '../../src/venue/documents/asyncapi.ts';
import { openApi } from '../../src/venue/documents/openapi.ts';
import { commandsPage } from './commands.ts';
import { dialectPage } from './dialect.ts';
import { httpPage } from './http.ts';
import { metricsPage } from './metrics.ts';
import { type Page, page, table } from './page.ts';
import { prometheusPage } from './prometheus.ts';
import { settingsPage } from './settings.ts';
import { tablesPage } from './tables.ts';

/** All pages that are made and not written. */
export function referencePages(): readonly Page[] {
  const reasons = Object.entries(REASONS).map(([code, meaning]) => [`\`${code}\``, meaning]);
  const errors = Object.entries(ERRORS).map(([code, { exit, meaning }]) => [`\`${code}\``, String(exit), meaning]);
  return [
    commandsPage(),
    settingsPage(),
    page('reasons', 'Reason codes', `${REASONS_INTRO}\n\n${table([['code', 'meaning'], ...reasons])}`),
    page('errors', 'Errors', `${ERRORS_INTRO}\n\n${table([['code', 'exit code', 'meaning'], ...errors])}`),
    metricsPage(),
    prometheusPage(),
    httpPage(),
    tablesPage(),
    dialectPage(),
    { path: 'src/cli/overview.json', text: `${JSON.stringify(overviewOf(kairosProgram()), null, 2)}\n` },
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi('svc'), null, 2)}\n` },
    { path: 'docs/asyncapi.json', text: `${JSON.stringify(asyncApi('svc'), null, 2)}\n` },
  ];
}

const REASONS_INTRO = 'Every decision in the journal carries one of these codes, or none. They are stable.';
const ERRORS_INTRO = 'What a command can end with. The line on the terminal says what, where and how to mend it.';
