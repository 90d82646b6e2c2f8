import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

const known = new Map<string, ValidateFunction>();

/**
 * Places at which `value` breaks a JSON Schema, by the validator that editors and servers use, as `strategies.0.amount`.
 * Its strict mode throws on a word of the schema that it does not know, so that no rule of ours goes unchecked.
 */
export function misfits(schema: object, value: unknown): readonly string[] {
  const text = JSON.stringify(schema);
  const validate = known.get(text) ?? new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
  known.set(text, validate);
  return validate(value) ? [] : [...new Set((validate.errors ?? []).map(placeOf))];
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const inside: unknown = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
  return [...instancePath.split('/').slice(1), ...(typeof inside === 'string' ? [inside] : [])].join('.');
}
