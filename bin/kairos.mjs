#!/usr/bin/env node
// The check comes first and alone: better-sqlite3 crashes without a word on a Node that is too old.
import '../scripts/ensure-node.mjs';
import '../scripts/own-modules.mjs';
import module from 'node:module';

// Keeps the compiled source between starts: the second start takes half the time of the first.
module.enableCompileCache?.();
try {
  await import('#cli/main.ts');
} catch (error) {
  // A package is missing that the command line needs before it can say so itself.
  (await import('#cli/uninstalled.ts')).endUninstalled(error);
  throw error;
}
