import type { Command } from 'commander';
import { leftText } from '#domain/no-order-words.ts';
import type { StrategyStateView } from '#server/page/view.ts';
import { printJson, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

/** Adds `strategies`: the available modules with their parameters. */
export function addStrategies(command: Command): void {
  addConfigOptions(command).option('--json', 'print JSON').addHelpText('after', '\nExample:\n  kairos strategies').action(strategies);
}

/** The state of each strategy in a running daemon, by id. */
async function statesOf(journal: string): Promise<ReadonlyMap<string, StrategyStateView>> {
  const { saidByDaemon } = await import('#daemon/operations/said-by-daemon.ts');
  const live = await saidByDaemon('state', journal);
  return new Map(live?.strategies.map(({ id, state }) => [id, state]));
}

async function strategies(options: ConfigOptions & { readonly json?: boolean }): Promise<void> {
  const { listStrategies } = await import('#assembly/strategy-list.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { inForceNow } = await import('#daemon/operations/in-force.ts');
  const config = configFrom(options);
  const listed = await listStrategies(inForceNow(config).strategies, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
  const states = await statesOf(config.settings.journal.path);
  const inUse = (id: string): string => {
    const state = states.get(id);
    const left = !state || state.until === null ? '' : `, ${leftText(Date.parse(state.until) - Date.now())}`;
    return state ? `${id} (${state.name}${left})` : id;
  };
  if (options.json)
    return printJson(listed.map((one) => ({ ...one, states: Object.fromEntries(one.usedBy.map((id) => [id, states.get(id) ?? null])) })));
  printTable(
    ['use', 'from', 'parameters (default; what they may be)', 'inputs', 'in use as'],
    listed.map(({ use, from, params, inputs, usedBy, wrong }) => [
      use,
      from,
      wrong ??
        (params.map(({ name, initial, allowed }) => `${name} (${initial}${allowed === null ? '' : `; ${allowed}`})`).join('\n') || 'none'),
      inputs.join(', '),
      usedBy.map(inUse).join(', '),
    ]),
  );
}
