import { ORDER_POINTS } from '#adapters/service-client/dialect/order-points.ts';
import type { ServiceDialect } from '#daemon/doctor/first-inspection.ts';
import { printLine, printTable } from './output.ts';
import { settingsBlock } from './settings-block.ts';

/** Prints the service's dialect: each reading, unusual ones marked, points that were not heard, and the settings to paste. */
export function printDialect(dialect: ServiceDialect, product: string): void {
  const { heard, seconds, lanes, settings } = dialect;
  const quotes = lanes.reduce((sum, lane) => sum + lane.quotes, 0);
  printLine(`\nheard in ${seconds} s on ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'}: ${quotes} quotes`);
  printTable(
    ['place', 'specification', 'reading', 'shown by', 'kairos'],
    heard.map(({ point, spec, reading, shown, client, isUnusual }) => [
      isUnusual ? `${point} !` : point,
      spec,
      reading ?? 'unknown',
      shown.slice(0, 60),
      client === 'trades' ? 'trades' : client === 'set' ? 'trades with the settings below' : 'may stop trading',
    ]),
  );
  const unusual = heard.filter(({ isUnusual }) => isUnusual);
  printLine(unusual.length === 0 ? '\nnothing is unusual' : '\nunusual (!), against the paper venue:');
  for (const { point, reading, does } of unusual) printLine(`  ${reading ?? point}: ${does}`);
  printLine('\nnot heard:');
  for (const line of unheardLines(dialect, product)) printLine(`  ${line}`);
  printLine(
    Object.keys(settings).length === 0
      ? '\nno settings are needed for what was heard; how orders are answered was not tried: kairos rehearse PRODUCT tells'
      : `\nsettings to paste:\n\n${settingsBlock(settings)}`,
  );
}

/** The points that were not heard, grouped by what would show them. */
function unheardLines({ unheard, askedForMore }: ServiceDialect, product: string): readonly string[] {
  const ofOrders = unheard.filter((point) => Object.hasOwn(ORDER_POINTS, point) && point !== 'errorBodies');
  const others = unheard.filter((point) => !ofOrders.includes(point)).map((point) => `${point}: ${TOLD_BY[point] ?? 'nothing showed it'}`);
  return [
    ...(ofOrders.length === 0 ? [] : [`${ofOrders.join(', ')}: orders show them: kairos rehearse ${product} --live`]),
    ...others,
    ...(askedForMore ? [] : ['service.capabilities: whether orders and balances can be asked for needs the API key']),
  ];
}

const TOLD_BY: Readonly<Record<string, string>> = {
  errorBodies: 'kairos doctor --service --probe shows it, by an order that cannot be executed',
  spread: 'both prices were equal all the time; a lane of a larger amount shows it',
  connections: 'a second connection would show it, and lanes.max allows none; or too little was heard',
  levels: 'no full quote came',
  accounts: 'the list of accounts needs a token: KAIROS_TOKEN',
  find: 'kairos remote find shows it, with a token',
  notified: 'a webhook shows it',
  brand: 'the paths of the settings are taken for right where lists and feed answer',
  paths: 'the paths of the settings are taken for right where lists and feed answer',
  secret: 'its length needs no padding, or none is set',
  quoteSize: 'a lane with a base amount shows it',
};
