import { describe, expect, test } from 'vitest';
import { factsOf } from '../support/same-facts.ts';
import { codesOf, faultsOf, strategyYaml } from './support.ts';

const POSITIVE = 'must be a number above 0 and at most 9007199254740991';

/** What is written, and the one line that a user reads. */
const TABLE: readonly [what: string, yaml: string, line: string][] = [
  ['B18 a misspelt section', 'servce: {}', 'kairos.yaml:1: servce: unknown setting; the nearest known one is service'],
  ['B18 one instead of many', 'strategy: []', 'kairos.yaml:1: strategy: unknown setting; the nearest known one is strategies'],
  [
    'B18 a misspelt key',
    'risk:\n  maxOrderVaule: 3',
    'kairos.yaml:2: risk.maxOrderVaule: unknown setting; the nearest known one is risk.maxOrderValue',
  ],
  [
    'B18 a known key in the wrong place',
    'baseUrl: https://service.example',
    'kairos.yaml:1: baseUrl: unknown setting; the nearest known one is service.baseUrl',
  ],
  [
    'B18 a misspelt key deep inside',
    'venue:\n  prices:\n    columns:\n      bidd: b',
    'kairos.yaml:4: venue.prices.columns.bidd: unknown setting; the nearest known one is venue.prices.columns.bid',
  ],
  [
    'B18 a misspelt key of a strategy',
    strategyYaml({ parms: '{}' }),
    'kairos.yaml:6: strategies[0].parms: unknown setting; the nearest known one is params',
  ],
  [
    'B18 a misspelt key of an amount',
    strategyYaml({ amount: '{ bse: 1 }' }),
    'kairos.yaml:5: strategies[0].amount.bse: unknown setting; an amount is {base: N} or {quote: N}',
  ],
  [
    'a rate without an amount',
    'account:\n  rates:\n    - { product: usdchf }',
    'kairos.yaml:3: account.rates[0].amount: is missing: the amount that its quotes are for: {base: N} units, or {quote: N} of quote currency',
  ],
  [
    'a rate with a misspelt amount',
    'account:\n  rates:\n    - { product: usdchf, amount: { bse: 1 } }',
    'kairos.yaml:3: account.rates[0].amount.bse: unknown setting; an amount is {base: N} or {quote: N}',
  ],
  [
    'B18 a misspelt key of a schedule line',
    'schedule:\n  - name: x\n    cron: "0 0 * * *"\n    action: bot.pause\n    timzone: UTC',
    'kairos.yaml:5: schedule[0].timzone: unknown setting; the nearest known one is timezone',
  ],
  [
    'B11 a key named __proto__',
    '__proto__: { a: 1 }',
    'kairos.yaml:1: __proto__: unknown setting, and none is like it: docs/reference/settings.md has all',
  ],
  [
    'B11 a key named constructor',
    'constructor: 1',
    'kairos.yaml:1: constructor: unknown setting, and none is like it: docs/reference/settings.md has all',
  ],
  [
    'B17 merge keys',
    'risk: &r { maxSpreadPct: 1 }\nlanes:\n  <<: *r',
    'kairos.yaml:3: lanes."<<": unknown setting: merge keys are not read; write the settings out',
  ],
  ['B16 a section that is a number', 'risk: 3', 'kairos.yaml:1: risk: must be a group of settings such as {maxDrawdownPct: 50}, not 3'],
  ['B16 a section that is a list', 'risk: []', 'kairos.yaml:1: risk: must be a group of settings such as {maxDrawdownPct: 50}, not a list'],
  [
    'B16 a list at the top',
    '- a',
    'kairos.yaml: the settings: must be a group of settings such as {strategies: [{id: cross-btc, use: sma-cross, product: btcusd, amount: {base: 0.01}}]}, not a list',
  ],
  [
    'B16 a string at the top',
    'hello',
    'kairos.yaml: the settings: must be a group of settings such as {strategies: [{id: cross-btc, use: sma-cross, product: btcusd, amount: {base: 0.01}}]}, not "hello"',
  ],
  ['a list that is none', 'strategies: 1', 'kairos.yaml:1: strategies: must be a list, not 1'],
  [
    'an entry that is no group',
    'strategies: [1]',
    'kairos.yaml:1: strategies[0]: must be a group of settings such as {id: cross-btc, use: sma-cross, product: btcusd, amount: {base: 0.01}}, not 1',
  ],
  [
    'a budget that is a number',
    strategyYaml({ budget: '20000' }),
    'kairos.yaml:6: strategies[0].budget: must be a group of settings such as {usd: 1000}, not 20000',
  ],
  [
    'exits that are a number',
    strategyYaml({ exits: '2' }),
    'kairos.yaml:6: strategies[0].exits: must be a group of settings such as {stopLossPct: 2}, not 2',
  ],
  [
    'an outcome for every status',
    'service: { outcomes: rejected }',
    'kairos.yaml:1: service.outcomes: must be a group of settings such as {409: rejected}, not "rejected"',
  ],
  [
    'a missing amount',
    'strategies:\n  - id: a\n    use: b\n    product: btcusd',
    'kairos.yaml:2: strategies[0].amount: is missing: what one order trades: {base: N} units, or {quote: N} of quote currency',
  ],
  ['a zero amount', strategyYaml({ amount: '{ base: 0 }' }), `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not 0`],
  ['B02 a negative amount', strategyYaml({ amount: '{ base: -0.1 }' }), `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not -0.1`],
  [
    'B01 an amount that is no number',
    strategyYaml({ amount: '{ base: .nan }' }),
    `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not NaN`,
  ],
  [
    'B01 an infinite amount',
    strategyYaml({ amount: '{ quote: .inf }' }),
    `kairos.yaml:5: strategies[0].amount.quote: ${POSITIVE}, not Infinity`,
  ],
  [
    'B05 an amount with a thousands separator',
    strategyYaml({ amount: '{ base: "1,000.50" }' }),
    `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not "1,000.50"`,
  ],
  [
    'B05 an amount with underscores',
    strategyYaml({ amount: '{ base: 1_000 }' }),
    `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not "1_000"`,
  ],
  [
    'B05 an amount with spaces',
    strategyYaml({ amount: '{ base: " 12 " }' }),
    `kairos.yaml:5: strategies[0].amount.base: ${POSITIVE}, not " 12 "`,
  ],
  [
    'B05 an amount in hexadecimal',
    strategyYaml({ amount: '{ base: 0x10 }' }),
    'kairos.yaml:5: the number 0x10 is read as 16; write it so, or in quotes if it is text',
  ],
  [
    'B17 a number with a leading zero',
    'risk: { maxOrdersPerMinute: 010 }',
    'kairos.yaml:1: the number 010 is read as 10; write it so, or in quotes if it is text',
  ],
  [
    'B03 more digits than a number keeps',
    strategyYaml({ amount: '{ base: 9007199254740993 }' }),
    'kairos.yaml:5: the number 9007199254740993 is kept as 9007199254740992; write it in quotes if it is text',
  ],
  [
    'an amount with base and quote',
    strategyYaml({ amount: '{ base: 1, quote: 2 }' }),
    'kairos.yaml:5: strategies[0].amount: must have one of base and quote, not both',
  ],
  [
    'an amount with neither',
    strategyYaml({ amount: '{}' }),
    'kairos.yaml:5: strategies[0].amount: must have one of base and quote, and has neither',
  ],
  [
    'an amount that is a number',
    strategyYaml({ amount: '1' }),
    'kairos.yaml:5: strategies[0].amount: must be {base: N} or {quote: N}, not 1',
  ],
  [
    'a strategy id in capitals',
    strategyYaml({ id: 'One' }),
    'kairos.yaml:2: strategies[0].id: must be 1 to 64 small letters, digits or dashes, not starting with a dash; "One" is no id',
  ],
  [
    'a strategy named like the book of people',
    strategyYaml({ id: 'manual' }),
    'kairos.yaml:2: strategies[0].id: must be 1 to 64 small letters, digits or dashes, not starting with a dash; "manual" is taken by Kairos itself',
  ],
  [
    'B22 a product code with path characters',
    strategyYaml({ product: '../btc' }),
    'kairos.yaml:4: strategies[0].product: must be a product code such as btcusd, not "../btc"',
  ],
  [
    'B22 a product code with a look-alike letter',
    strategyYaml({ product: 'btсusd' }),
    'kairos.yaml:4: strategies[0].product: must be a product code such as btcusd, not "btсusd"',
  ],
  ['a product twice in a list', strategyYaml({ product: '[a1, a1]' }), 'kairos.yaml:4: strategies[0].product: names a product twice'],
  [
    'a parameter that is no value',
    strategyYaml({ params: '{ fast: [1] }' }),
    'kairos.yaml:6: strategies[0].params.fast: must be a number, text, true or false, not a list',
  ],
  [
    'windows that say nothing',
    strategyYaml({ windows: '{ timezone: UTC }' }),
    'kairos.yaml:6: strategies[0].windows: must have one of open and closed',
  ],
  [
    'an opening time that is none',
    strategyYaml({ windows: '{ open: ["monday 9-16"] }' }),
    'kairos.yaml:6: strategies[0].windows.open[0]: must be days and times such as "mon-fri 09:30-16:00", "sat,sun 10:00-12:00" or "22:00-02:00", not "monday 9-16"',
  ],
  [
    'a closed date that does not exist',
    strategyYaml({ windows: '{ closed: ["2026-02-30"] }' }),
    'kairos.yaml:6: strategies[0].windows.closed[0]: must be dates such as "2026-12-25", "2026-12-24..2026-12-26" or "2026-12-24 13:00-24:00", not "2026-02-30"',
  ],
  [
    'exits without a rule',
    strategyYaml({ exits: '{ net: true }' }),
    'kairos.yaml:6: strategies[0].exits: must have one of takeProfitPct, stopLossPct, trailingPct and maxHoldSeconds',
  ],
  [
    'a loss of nothing',
    strategyYaml({ exits: '{ stopLossPct: 0 }' }),
    'kairos.yaml:6: strategies[0].exits.stopLossPct: must be a number above 0 and at most 1000, not 0',
  ],
  [
    'a loss that no price brings',
    strategyYaml({ exits: '{ stopLossPct: 200 }' }),
    'kairos.yaml:6: strategies[0].exits.stopLossPct: must be below 100, not 200: no price falls so far, and the product is not in account.allowShort',
  ],
  [
    'a way back that no price goes',
    strategyYaml({ exits: '{ trailingPct: 100 }' }),
    'kairos.yaml:6: strategies[0].exits.trailingPct: must be below 100, not 100: no price falls so far, and the product is not in account.allowShort',
  ],
  [
    'an exit by half of its name',
    strategyYaml({ exits: '{ stopLoss: 2 }' }),
    'kairos.yaml:6: strategies[0].exits.stopLoss: unknown setting; the nearest known one is stopLossPct',
  ],
  [
    'an activation of nothing',
    strategyYaml({ exits: '{ stopLossPct: 1, activateAtPct: 1 }' }),
    'kairos.yaml:6: strategies[0].exits.activateAtPct: has no effect without trailingPct',
  ],
  [
    'an exit misspelt',
    strategyYaml({ exits: '{ stopLosPct: 1 }' }),
    'kairos.yaml:6: strategies[0].exits.stopLosPct: unknown setting; the nearest known one is stopLossPct',
  ],
  ['a budget of nothing', strategyYaml({ budget: '{ usd: 0 }' }), `kairos.yaml:6: strategies[0].budget.usd: ${POSITIVE}, not 0`],
  [
    'B09 a limit of zero',
    'risk: { maxOrderValue: 0 }',
    `kairos.yaml:1: risk.maxOrderValue: must be off or a number above 0 and at most 9007199254740991, not 0`,
  ],
  [
    'B07 a negative limit in one currency',
    'risk:\n  maxPositionValue:\n    usd: 5\n    eur: -1',
    `kairos.yaml:4: risk.maxPositionValue.eur: ${POSITIVE.replace('be a', 'be off or a')}, not -1`,
  ],
  [
    'B09 a limit beyond what a number keeps',
    'risk: { maxOrdersPerMinute: 1e300 }',
    'kairos.yaml:1: risk.maxOrdersPerMinute: must be off or a whole number of at least 1, not 1e+300',
  ],
  [
    'B09 a negative limit',
    'risk: { maxUnknown: -1 }',
    'kairos.yaml:1: risk.maxUnknown: must be off or a whole number of at least 1, not -1',
  ],
  [
    'B01 a limit that is no number',
    'risk: { maxSpreadPct: .nan }',
    'kairos.yaml:1: risk.maxSpreadPct: must be off or a number above 0 and at most 100, not NaN',
  ],
  ['a number in quotes', 'lanes: { max: "10" }', 'kairos.yaml:1: lanes.max: must be a whole number from 1 to 10000, not "10"'],
  ['yes for true', 'recording: { enabled: yes }', 'kairos.yaml:1: recording.enabled: must be true or false, not "yes"'],
  ['nothing where something is needed', 'journal: { path: ~ }', 'kairos.yaml:1: journal.path: must be a path, not null'],
  [
    'B21 a user id that could shift a signature',
    'service: { userId: "12/05?" }',
    'kairos.yaml:1: service.userId: must be 1 to 64 letters, digits or dashes, not "12/05?"',
  ],
  [
    'B21 a user id of 1 MB, shortened',
    `service: { userId: ${'a'.repeat(900_000)} }`,
    `kairos.yaml:1: service.userId: must be 1 to 64 letters, digits or dashes, not "${'a'.repeat(56)}..."`,
  ],
  [
    'B36 http off loopback',
    'service: { baseUrl: "http://service.example" }',
    'kairos.yaml:1: service.baseUrl: the address sends keys in clear to service.example; use https',
  ],
  [
    'B36 credentials in the address, which are not repeated',
    'service: { baseUrl: "https://me:hunter2@service.example" }',
    'kairos.yaml:1: service.baseUrl: the address has a user or password in it; give them as service.username and password',
  ],
  [
    'an address that is none',
    'service: { baseUrl: somewhere }',
    'kairos.yaml:1: service.baseUrl: the address is not an http or https address',
  ],
  [
    'a path that would not be sent as signed',
    'service: { paths: { orders: "/a b" } }',
    'kairos.yaml:1: service.paths.orders: must be an absolute path of plain URL characters, not "/a b"',
  ],
  [
    'an outcome for what is no status',
    'service: { outcomes: { 42: unknown } }',
    'kairos.yaml:1: service.outcomes.42: must be an HTTP status from 100 to 599',
  ],
  [
    'a fault of the paper venue that never strikes',
    'venue: { faults: [rejections, lost-answers=0%] }',
    'kairos.yaml:1: venue.faults[1]: must have a share above 0% and at most 100%, such as lost-answers=50%',
  ],
  [
    'a range the wrong way round',
    'venue: { validityMs: [3000, 20] }',
    'kairos.yaml:1: venue.validityMs: must be [shortest, longest]; 3000 is more than 20',
  ],
  [
    'a cron line that is none',
    'schedule:\n  - { name: x, action: bot.pause, cron: "61 * * * *" }',
    'kairos.yaml:2: schedule[0].cron: must be a cron expression that comes at some time, such as "0 22 * * 5" (minute hour day month weekday), not "61 * * * *"',
  ],
  [
    'a time zone that is none',
    'schedule:\n  - { name: x, action: bot.pause, cron: "1 * * * *", timezone: Mars/Olympus }',
    'kairos.yaml:2: schedule[0].timezone: must be a time zone such as UTC or Europe/Stockholm, not "Mars/Olympus"',
  ],
  [
    'an action that does not exist',
    'schedule:\n  - { name: x, action: remote.sell, cron: "1 * * * *" }',
    'kairos.yaml:2: schedule[0].action: must be one of remote.pauseAll, remote.resumeAll, remote.deleteAll, remote.flush, remote.start, remote.stop, remote.pause, remote.schedule-opening-pause, bot.halt, bot.resume, bot.pause, bot.flatten, bot.backup, bot.report, bot.seal, not "remote.sell"',
  ],
  [
    'a cron line that never comes',
    'schedule:\n  - { name: x, action: bot.pause, cron: "0 0 30 2 *" }',
    'kairos.yaml:2: schedule[0].cron: must be a cron expression that comes at some time, such as "0 22 * * 5" (minute hour day month weekday), not "0 0 30 2 *"',
  ],
  [
    'a deletion of everything that nobody confirmed',
    'schedule:\n  - { name: x, action: remote.deleteAll, cron: "1 * * * *" }',
    'kairos.yaml:2: schedule[0].confirm: is needed for remote.deleteAll: must be true for remote.deleteAll and remote.flush',
  ],
  [
    'a flush that is confirmed with no',
    'schedule:\n  - { name: x, action: remote.flush, cron: "1 * * * *", strategyId: s, longPositionTargetPercentage: 0, shortPositionTargetPercentage: 0, confirm: false }',
    'kairos.yaml:2: schedule[0].confirm: must be true: remote.flush cannot be undone',
  ],
  [
    'a flatten that is to run late',
    'schedule:\n  - { name: x, action: bot.flatten, cron: "1 * * * *", missed: run }',
    'kairos.yaml:2: schedule[0].missed: must be alert or skip: bot.flatten is never done late',
  ],
  [
    'a lateness that nothing asks for',
    'schedule:\n  - { name: x, action: bot.pause, cron: "1 * * * *", missedWithin: 5m }',
    'kairos.yaml:2: schedule[0].missedWithin: has no effect unless missed is run',
  ],
  [
    'B21 an id that would rewrite the path',
    'schedule:\n  - { name: x, action: remote.stop, cron: "1 * * * *", strategyId: ../deleteAll }',
    'kairos.yaml:2: schedule[0].action: remote.stop: "../deleteAll" is not the id of a strategy; `kairos remote find` lists them',
  ],
  [
    'a pause of openings without its times',
    'schedule:\n  - { name: x, action: remote.schedule-opening-pause, cron: "1 * * * *", strategyId: s }',
    'kairos.yaml:2: schedule[0].for: give either for, or fromTime and toTime',
  ],
];

describe('each bad value is one line that says what, where and how to mend it', () => {
  test.each(TABLE)('%s', (_what, yaml, line) => {
    expect(faultsOf(yaml).map(factsOf)).toEqual([factsOf(line)]);
  });
});

/** Settings that are right each, and wrong together. */
const TOGETHER: readonly [what: string, yaml: string, line: string][] = [
  [
    'B39 an order worth more than a position',
    'risk:\n  maxOrderValue: 300\n  maxPositionValue: 200',
    'kairos.yaml:2: risk.maxOrderValue: 300 usd is more than risk.maxPositionValue allows (200 usd); lower the one or raise the other',
  ],
  [
    "no lane to close what is no lane's amount",
    'lanes:\n  reserve: 0',
    "kairos.yaml:2: lanes.reserve: 0 leaves positions open whose size is not their strategy's amount: a stop or a flatten has no lane to close them on; write 1 or more (0 is for a service that allows one connection: then lanes.max must be 1)",
  ],
  [
    'two strategies of one name',
    `${strategyYaml()}  - { id: one, use: x, product: ethusd, amount: { base: 1 } }`,
    'kairos.yaml:6: strategies[1].id: one is taken by the strategy at kairos.yaml:2; give each its own',
  ],
  [
    'a list of products that makes the name of another strategy',
    `${strategyYaml({ product: '[btcusd, ethusd]' })}  - { id: one-ethusd, use: x, product: ethusd, amount: { base: 1 } }`,
    'kairos.yaml:6: strategies[1].id: one-ethusd is taken by the strategy at kairos.yaml:2; give each its own',
  ],
  [
    'a list of products that makes no id',
    strategyYaml({ product: '[btcusd, ETH_USD]' }),
    'kairos.yaml:2: strategies[0].id: with a list of products it makes "one-eth_usd", which is no id; write one entry for eth_usd',
  ],
  [
    'a pause of a strategy that is not there',
    `${strategyYaml()}schedule:\n  - { name: x, action: bot.pause, cron: "1 * * * *", strategy: two }`,
    'kairos.yaml:7: schedule[0].strategy: there is no strategy two; there are one',
  ],
  [
    'a strategy for an action that takes none',
    `${strategyYaml()}schedule:\n  - { name: x, action: remote.pauseAll, cron: "1 * * * *", strategy: one }`,
    'kairos.yaml:7: schedule[0].strategy: has no effect: remote.pauseAll takes nothing more',
  ],
  [
    'backups without a folder for them',
    'schedule:\n  - { name: x, action: bot.backup, cron: "1 * * * *" }',
    'kairos.yaml:2: schedule[0].action: bot.backup needs a folder: set journal.backup.dir',
  ],
  [
    'two lines of one name',
    'schedule:\n  - { name: x, action: bot.pause, cron: "1 * * * *" }\n  - { name: x, action: bot.pause, cron: "2 * * * *" }',
    'kairos.yaml:3: schedule[1].name: x is taken by another line',
  ],
  [
    'prices from a file without the file',
    'venue: { prices: { source: file, product: eurusd } }',
    'kairos.yaml:1: venue.prices.source: file needs venue.prices.path',
  ],
  [
    'a price file that is not used',
    'venue: { prices: { path: x.csv } }',
    'kairos.yaml:1: venue.prices.path: has no effect unless venue.prices.source is file',
  ],
  [
    'quotes that die before any of them may be used',
    'risk: { minTimeLeftMs: 3000 }',
    "kairos.yaml:1: risk.minTimeLeftMs: 3000 leaves no quote to trade on, since the venue's live 3000 ms at most (venue.validityMs)",
  ],
  [
    'orders that never leave before their quote has expired',
    'trading: { sendMarginMs: 3000 }',
    "kairos.yaml:1: trading.sendMarginMs: 3000 leaves no quote to trade on, since the venue's live 3000 ms at most (venue.validityMs)",
  ],
];

describe('settings that contradict each other are refused', () => {
  test.each(TOGETHER)('%s', (_what, yaml, line) => {
    expect(faultsOf(yaml).map(factsOf)).toEqual([factsOf(line)]);
  });
});

test('wording, once: an unknown setting, a bad value, and settings that contradict each other', () => {
  expect(faultsOf('servce: {}\nlanes: { max: 0 }\n')).toEqual([
    'kairos.yaml:1: servce: unknown setting; the nearest known one is service',
    'kairos.yaml:2: lanes.max: must be a whole number from 1 to 10000, not 0',
  ]);
});

test('all faults are found at once, in the order of the file', () => {
  const faults = faultsOf('risk:\n  maxUnknown: 0\n  maxSpread: 1\nlanes: { max: 0 }\nstrategies: [{}, 3]');
  expect(faults.map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
    'kairos.yaml:2 risk.maxUnknown',
    'kairos.yaml:3 risk.maxSpread',
    'kairos.yaml:4 lanes.max',
    'kairos.yaml:5 strategies[0].id',
    'kairos.yaml:5 strategies[0].use',
    'kairos.yaml:5 strategies[0].product',
    'kairos.yaml:5 strategies[0].amount',
    'kairos.yaml:5 strategies[1]',
  ]);
});

test('a script can tell an unknown key from a bad value', () => {
  expect(codesOf('risk: { maxUnknown: 0, maxSpread: 1 }')).toEqual(['CONFIG_INVALID', 'CONFIG_UNKNOWN_KEY']);
});
