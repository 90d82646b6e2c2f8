import type { Command } from 'commander';
import { addActions } from './remote/actions.ts';
import { addCreate } from './remote/create.ts';
import { addInspections } from './remote/inspect.ts';
import { addModify } from './remote/modify.ts';
import { addSettle } from './remote/settle.ts';

/** Adds `remote`: the service's own strategies (spec 4.1). */
export function addRemote(program: Command): void {
  const remote = program
    .command('remote')
    .description("the service's own strategies: create, start, pause, flush and the rest, through the running daemon or by itself")
    .helpCommand(false)
    .addHelpText('after', '\nExample:\n  kairos remote find\n  kairos remote pause ID --dry-run');
  addCreate(remote);
  addModify(remote);
  addActions(remote);
  addInspections(remote);
  addSettle(remote);
}
