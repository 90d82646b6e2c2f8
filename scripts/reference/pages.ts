import { configJsonSchema } from '#config/load.ts';
import { ERRORS } from '#domain/errors.ts';
import { REASONS } from '#domain/reasons.ts';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';
import { asyncApi } from '#paper-venue/documents/asyncapi.ts';
import { openApi } from '#paper-venue/documents/openapi.ts';
import { answersPage } from './answers.ts';
import { bundlePage } from './bundle.ts';
import { commandsPage } from './commands.ts';
import { dialectPage } from './dialect.ts';
import { formatsPage } from './formats.ts';
import { httpPage } from './http.ts';
import { licencesPage } from './licences.ts';
import { metricsPage } from './metrics.ts';
import { type Page, page } from './page.ts';
import { prometheusPage } from './prometheus.ts';
import { builtPage } from './rooms.ts';
import { settingsPage } from './settings.ts';
import { tablesPage } from './tables.ts';

/** All pages that are made and not written. */
export function referencePages(): readonly Page[] {
  const reasons = Object.entries(REASONS).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  const states = Object.entries(STRATEGY_STATES).map(([state, meaning]) => `- \`${state}\`: ${meaning}`);
  const errors = Object.entries(ERRORS).map(([code, { exit, meaning }]) => `- \`${code}\` (${exit}): ${meaning}`);
  return [
    commandsPage(),
    settingsPage(),
    page('reasons', 'Reason codes', [REASONS_INTRO, reasons.join('\n'), STATES_INTRO, states.join('\n')].join('\n\n')),
    page('errors', 'Errors', `${ERRORS_INTRO}\n\n${errors.join('\n')}`),
    metricsPage(),
    prometheusPage(),
    httpPage(),
    tablesPage(),
    bundlePage(),
    dialectPage(),
    formatsPage(),
    answersPage(),
    licencesPage(),
    builtPage(),
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApi('svc'), null, 2)}\n` },
    { path: 'docs/asyncapi.json', text: `${JSON.stringify(asyncApi('svc'), null, 2)}\n` },
    { path: 'config/schema.json', text: `${JSON.stringify(configJsonSchema(), null, 2)}\n` },
  ];
}

const REASONS_INTRO = 'Every decision in the journal carries one of these codes, or none. They are stable.';
const STATES_INTRO = [
  '## States of a strategy',
  'What a strategy can do now, in `kairos status`, on the page, and as `state` in `/api/state`. The first that holds counts. The alert `blocked` reports once what stopped a strategy for 30 s from outside (DISARMED, NO_TIME, NO_QUOTES, FROZEN, WAITING, NO_RATE, NO_FUNDS, REFUSED).',
].join('\n\n');
const ERRORS_INTRO =
  'What a command can end with, by its code and exit code. The line says what, where and what to do; on a terminal it ends with the command that finds its code here.';
