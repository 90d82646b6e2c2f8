const none = (): never => {
  throw new TypeError('no route has a schema');
};

/** For a server's `schemaController`. Leaves out the schema compiler, which no route needs and which takes as long to load as the server. */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: none, buildSerializer: none } };
