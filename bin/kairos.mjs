#!/usr/bin/env node
// The check comes first and alone: better-sqlite3 crashes without a word on a Node that is too old.
import '../scripts/ensure-node.mjs';

await import('../src/cli/main.ts');
