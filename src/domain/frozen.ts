/** The same plain data, with all that is in it: nobody can change it from here on. */
export function frozen<Of>(value: Of): Of {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
