import { ANSWER_FIELDS, BEGUN_WORDS, type FieldKind, ORDER_INSIDE, PARTIAL_WORDS } from '#adapters/service-client/orders/answer-fields.ts';
import { FEE_CURRENCY, FIGURE_FIELDS, type FigureName, PARTS } from '#adapters/service-client/orders/answer-figures.ts';
import { FILLED_STATUSES } from '#adapters/service-client/rest/settings.ts';
import { namesBlock, type Page, page, table } from './page.ts';

const INTRO = `How Kairos reads the answer to an order. The specification shows none (4.4), so an order counts as executed on positive evidence alone.
Everything else is [unknown](../explanation/why-unknown.md). One line names the field and the setting that ends the doubt.`;

const OUTCOMES: readonly (readonly string[])[] = [
  ['answer', 'outcome', 'the setting that says otherwise'],
  ['2xx with a word for executed, a flag or an id, nothing against it', '`accepted`', ''],
  ['200, 201 or 204 without a body, with `{}` or with `null`', '`accepted`, as quoted', '`service.emptyAnswer: unknown`'],
  ['a bare word, such as `OK`', 'as the word says', '`service.filledStatuses`, `service.rejectedStatuses`'],
  [
    '202 without a word for executed or a filled size',
    '`unknown`: the order was taken, and no more is said',
    '`service.outcomes: {"202": accepted}`',
  ],
  ['2xx with a word of `service.rejectedStatuses`, and nothing for it', '`rejected`', ''],
  ['2xx with anything against it, at any depth', '`unknown`', '`service.rejectedStatuses`, `service.ignoredFields`'],
  ['2xx with a word that is in no list', '`unknown`', '`service.filledStatuses`, `service.rejectedStatuses`'],
  ['2xx with figures that do not fit the quote', '`unknown`', '`service.ignoredFields`, `service.figureTolerancePct`'],
  ['2xx with HTML, a text or a list of several', '`unknown`', '`service.outcomes`'],
  ['2xx that broke off', '`unknown`', ''],
  ['2xx with a body that has neither a word nor an id', '`unknown`', '`service.outcomes`'],
  ['401, 403, or 400 with the user id as what is wrong', '`rejected`; the second 401 in a row, and each of the others, halts', ''],
  ['4xx with a word for executed, or that calls the quote used', '`unknown`', '`service.outcomes`'],
  ['408, 409, 425, 3xx, 5xx, no answer', '`unknown`', '`service.outcomes`'],
  ['any other 4xx, also "has already expired" and "can no longer be used"', '`rejected`', '`service.outcomes`'],
];

const KINDS: Readonly<Record<FieldKind, string>> = {
  word: 'a word of `service.filledStatuses` or a status from 200 to 299 is for it. A word of refusal is against it. Any other is in doubt',
  flag: '`true` is for it, `false` against it',
  taken: '`false` is against it; `true` needs an id of the order or a word for executed beside it',
  denial: 'anything but empty or `false` is against it',
  code: 'anything but empty, zero, a status from 200 to 299 or a word for executed is against it',
  error: 'anything but empty, zero or a word for executed is against it',
  text: 'a word of refusal in it is against it, one of waiting is in doubt',
  fills: 'empty, it is in doubt, unless something else is for it',
  left: 'above zero, it is in doubt, unless a size was executed',
  id: 'any but that of the quote is for it',
  echo: 'another than that of the order is against it',
  side: 'the other side is against it',
};

const FIGURES: Readonly<Record<FigureName, string>> = {
  size: 'at most the quoted size. A part needs a name that says executed, or a value that agrees',
  price: "within `service.figureTolerancePct` of the quote's",
  value: 'price x size but for the last digits, with or without the fee',
  fee: "from half the quote's to 1.05 times, in the currency that it names or fits. As a rate, the quote's fee is booked",
};

const capital = (text: string): string => (text.startsWith('`') ? text : text.charAt(0).toUpperCase() + text.slice(1));

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** What an answer may say, and what it means. */
export function answersPage(): Page {
  const fields = Object.entries(ANSWER_FIELDS).map(([kind, list]) => `${capital(KINDS[kind as FieldKind])}:\n\n${namesBlock(list)}`);
  const figures = Object.entries(FIGURE_FIELDS).map(([name, { executed, plain }]) => {
    const echo = plain.length === 0 ? '' : `\n\nPerhaps an echo of the request: ${names(plain)}.`;
    return `### ${capital(name)}\n\nFits: ${FIGURES[name as FigureName]}.\n\n${namesBlock(executed)}${echo}`;
  });
  const sections = [
    INTRO,
    table(OUTCOMES.map((row) => [...row])),
    `## Fields that say whether it was executed

Upper case, dashes and underlines do not matter. What is for an order counts at the top and in these fields:

${namesBlock(ORDER_INSIDE)}

What is against it counts everywhere; codes and free text only there and under a status. In other fields a text with a word of refusal is against it. \`service.ignoredFields\` names fields to ignore.

${fields.join('\n\n')}

Words for executed (\`service.filledStatuses\`):

${namesBlock(FILLED_STATUSES)}

A flag and ${names(BEGUN_WORDS)} say only that a request succeeded: a 202 needs another word. ${names(PARTIAL_WORDS)} need a size.`,
    `## Figures

Figures that fit the quote are booked; without any the quote's are. The first that does not fit is named, and nothing is booked. A name of an execution goes before an echo; two of one kind must be equal. Parts in ${names(PARTS)} are added up.

${figures.join('\n\n')}

Its currency: ${names(FEE_CURRENCY)}, or inside a fee that is an object.`,
  ];
  return page('answers', "An order's answer", sections.join('\n\n'));
}
