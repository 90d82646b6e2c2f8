import { FORMATS } from '#adapters/recording/import/formats.ts';
import { type Page, page } from './page.ts';

/** `docs/reference/formats.md`: the files that `data import` reads, with an example each. A test imports every one. */
export function formatsPage(): Page {
  const kinds = FORMATS.map(({ of, options, example }) => {
    const needs = options === undefined ? '' : `\n\nWith \`${options}\`:`;
    return `## ${of}${needs}\n\n\`\`\`csv\n${example.slice(0, -1).join('\n')}\n\`\`\``;
  });
  return page('formats', 'Files that an import reads', `${INTRO}\n\n${kinds.join('\n\n')}`);
}

const INTRO = `\`kairos data import\` reads these files; a test imports each example. \`kairos data formats\` prints them.
Columns with a title may stand in any order, beside others. A file without a header is known by its first fifty rows.
For any other file, name its columns: \`--time\`, \`--bid\` and \`--ask\`, or \`--price\`, \`--high\`, \`--low\` and \`--open\`.`;
