import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Alert } from '#adapters/alerts/alert.ts';
import { messageOf } from '#adapters/alerts/message.ts';
import { cell } from '#adapters/recording/export-file.ts';
import { createLog } from '#assembly/log.ts';
import { printError, usageText } from '#cli/errors.ts';
import { printCsv, printJson, printLine, printNote, printTable } from '#cli/output.ts';
import { loadConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { oneLine, shown, shownIn } from '#domain/one-line.ts';
import { csvText } from '#report/csv.ts';
import { escaped, scriptData } from '#report/page/html.ts';
import { folder } from '../config/support.ts';
import { anyText, test as property } from '../support/property.ts';

/** Clears the screen, turns the text around, ends a line for some readers. */
const HOSTILE = 'usd\u001b[2J\u009b\u202edsu\u2066\u2028\r';
const OBEYED = /[^\P{Cc}\n\t]|\p{Bidi_Control}|[\u2028\u2029]/u;

const log = (pretty: boolean, write: (line: string) => void) =>
  createLog(loadConfig({ env: {}, set: [`log.pretty=${pretty}`], cwd: folder() }), { write });

const alert: Alert = { at: 0, event: 'trouble', subject: HOSTILE, title: HOSTILE, text: HOSTILE, over: false };

/** Every way on which a text leaves Kairos for people. */
const WAYS: Readonly<Record<string, (write: (text: string) => void) => void>> = {
  'a line on the terminal': () => printLine(HOSTILE),
  'a note on the terminal': () => printNote(HOSTILE),
  'a table on the terminal': () => printTable(['name'], [[HOSTILE]]),
  'JSON on the terminal': () => printJson({ name: HOSTILE }),
  'an error on the terminal': () => printError(new KairosError('USAGE', HOSTILE), false),
  'an error that nobody expected': () => printError(new Error(HOSTILE), true),
  'a word that the command line does not know': (write) => write(usageText(`error: unknown command '${HOSTILE}'`)),
  'CSV on the terminal': () => printCsv(['name'], [[HOSTILE]]),
  'CSV of the page': (write) => write(csvText(['name'], [[HOSTILE]])),
  'CSV of quotes': (write) => write(cell(HOSTILE)),
  'text of a report': (write) => write(escaped(HOSTILE)),
  'data of a report': (write) => write(String(Object.values(JSON.parse(scriptData({ name: HOSTILE }))))),
  'an alert': (write) => write(Object.values(messageOf('kairos', [{ alert, silent: false }], 0)).join('')),
  'a digest of alerts': (write) => write(Object.values(messageOf('kairos', [{ alert, silent: false }], 3)).join('')),
  'a log as JSON': (write) => log(false, write).info({ product: HOSTILE }, HOSTILE),
  'a log for people': (write) => log(true, write).info({ product: HOSTILE }, HOSTILE),
  'what the page is told': (write) => write(String(Object.entries(shownIn(JSON.stringify({ [HOSTILE]: HOSTILE })) as object))),
};

describe('what a terminal or a reader would obey is written out', () => {
  test.each(Object.entries(WAYS))('%s', (_, send) => {
    const sent: string[] = [];
    const take = (text: unknown): boolean => sent.push(String(text)) > 0;
    const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take));
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
    send(take);
    for (const spy of spies) spy.mockRestore();
    const text = sent.join('').replace(/\r\n/g, '\n');
    expect(text).toContain('\\u202edsu');
    expect(OBEYED.exec(text)).toBeNull();
  });

  property.prop([anyText()])('no text is left with any of it, and JSON says the same as before', (text) => {
    expect(OBEYED.test(shown(text))).toBe(false);
    expect(/[\n\r\t]/.test(oneLine(text))).toBe(false);
    expect(JSON.parse(shown(JSON.stringify(text)))).toBe(text);
    expect(shownIn(JSON.stringify({ text }))).toEqual({ text: shown(text) });
  });

  test('also what JSON has a short escape for, which names no code', () => {
    for (const text of ['\b', '\f', '\r']) expect(shownIn(JSON.stringify({ [text]: text }))).toEqual({ [shown(text)]: shown(text) });
  });

  test('lines, tabs, letters of every script and smileys stay', () => {
    const plain = 'a\n\tż 日本 שלום مرحبا 👩‍👩‍👧 …';
    expect(shown(plain)).toBe(plain);
  });
});
