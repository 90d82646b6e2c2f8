import type { Command } from 'commander';
import { addActions } from './remote/actions.ts';
import { addCreate } from './remote/create.ts';
import { addInspections } from './remote/inspect.ts';
import { addModify } from './remote/modify.ts';
import { addSettle } from './remote/settle.ts';

/** Adds `remote`: the service's own strategies (spec 4.1). */
export function addRemote(remote: Command): void {
  remote.helpCommand(false).addHelpText('after', '\nExample:\n  kairos remote find\n  kairos remote pause ID --dry-run');
  addCreate(remote);
  addModify(remote);
  addActions(remote);
  addInspections(remote);
  addSettle(remote);
}
