import { type Branch, isKey } from '#domain/settings/key.ts';
import type { JsonSchema } from '#domain/settings/kind.ts';
import { initialOf } from './resolved.ts';
import { TREE } from './tree.ts';

/**
 * The settings as JSON Schema, for editors, with the defaults of paper. Secrets are left out: a file may not hold them,
 * and editors mark them as unknown.
 */
export function configJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Kairos',
    ...branchSchema(TREE),
  };
}

function branchSchema(branch: Branch): JsonSchema {
  const properties = Object.entries(branch).flatMap(([name, node]) => {
    if (!isKey(node)) return [[name, branchSchema(node)]];
    if (node.secret) return [];
    return [[name, { ...node.kind.schema, description: node.doc, default: initialOf(node, 'paper') }]];
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}
