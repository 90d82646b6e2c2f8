declare module 'papaparse' {
  const Papa: {
    /** The rows of a text, blank ones included, split into cells. */
    parse(text: string, config: { readonly delimiter: string; readonly newline: '\n' }): { readonly data: readonly (readonly string[])[] };
  };
  export default Papa;
}
