import { describe, expect, test } from 'vitest';
import { wholeProgram } from '#cli/commands.ts';
import { examplesOf, leavesOf } from '../../scripts/reference/commands.ts';
import { allPages, hasCommands, stepsOf } from './blocks.ts';
import { complaint, kairosCalls, misnamed, npmComplaint, wordsOf } from './parser.ts';

const pages = allPages();

test('every block says what it is: commands, a language, or what prints it', () => {
  const unknown = pages.flatMap(({ blocks }) =>
    blocks.filter((block) => block.language === '' && !hasCommands(block) && block.marks.length === 0).map(({ at }) => at),
  );
  expect(unknown).toEqual([]);
});

test('most commands of Kairos are run; those that are not say what they would need', () => {
  const commands = pages.flatMap(({ blocks }) =>
    blocks.filter(hasCommands).flatMap(({ at, text, marks }) => {
      const why = marks.flatMap((mark) => (mark.kind === 'not run' ? [mark.why] : []))[0];
      return stepsOf(text).map(({ command }) => ({ at, command, why }));
    }),
  );
  const left = commands.filter(({ why }) => why !== undefined);
  console.info(
    [
      `${commands.length} commands in docs, ${left.length} of them not run:`,
      ...left.map(({ at, command, why }) => `${at} ${why}: ${command}`),
    ].join('\n'),
  );
  const ours = (all: typeof commands): number => all.filter(({ command }) => kairosCalls(command).length > 0).length;
  expect(ours(left)).toBeLessThan(ours(commands) / 3);
});

describe('no page names a command that does not exist', () => {
  test.each(pages.map((page) => [page.path, page] as const))('%s', async (_path, { path, text, blocks }) => {
    const wrong: string[] = [];
    for (const block of blocks.filter(hasCommands)) {
      for (const { command, shown } of stepsOf(block.text)) {
        const refused = shown.some((line) => line.startsWith('kairos: '));
        for (const call of kairosCalls(command)) {
          const said = refused ? undefined : await complaint(call);
          if (said !== undefined) wrong.push(`${block.at}: ${command}: ${said}`);
        }
        const npm = npmComplaint(command);
        if (npm !== undefined) wrong.push(`${block.at}: ${npm}`);
      }
    }
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
    for (const [span, words = ''] of prose.matchAll(/`(?:npx )?kairos ([^`]+)`/g)) {
      const said = misnamed(wordsOf(words));
      if (said !== undefined) wrong.push(`${path}: ${span}: ${said}`);
    }
    expect(wrong).toEqual([]);
  });
});

const PROGRAM = await wholeProgram();

describe('the help of each command ends with an example that its parser takes', () => {
  const leaves = PROGRAM.commands.flatMap((command) => leavesOf(command, ''));
  test.each(leaves.map(({ name, command }) => [name, command] as const))('%s', async (_name, command) => {
    const examples = examplesOf(command);
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      for (const call of kairosCalls(example)) expect(await complaint(call), example).toBeUndefined();
    }
  });
});
