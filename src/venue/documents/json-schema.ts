import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema of what is sent to the venue: defaults need not be given. */
export function schemaOfInput(schema: z.ZodType): Json {
  return plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** The JSON Schema of what the venue sends. */
export function schemaOfOutput(schema: z.ZodType): Json {
  return plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
}

/** Both documents say for themselves which dialect their schemas have. */
function plain({ $schema: _dialect, ...rest }: Readonly<Record<string, unknown>>): Json {
  return rest;
}
