import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of a request's body; fields with defaults are optional. */
export function schemaOfInput(schema: z.ZodType): Json {
  return plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** The JSON Schema of an answer's body. */
export function schemaOfOutput(schema: z.ZodType): Json {
  return plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
}

/** Drops `$schema`: both documents name the schema version themselves. */
function plain({ $schema: _dialect, ...rest }: Readonly<Record<string, unknown>>): Json {
  return rest;
}
