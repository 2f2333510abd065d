import type { TSchema } from 'typebox';

/** Copies a schema with a description, which the OpenAPI document shows at this use. */
export function describe<Schema extends TSchema>(schema: Schema, description: string): Schema {
  // TypeBox marks kinds and optional fields with properties that are not enumerable.
  const copy = Object.defineProperties({ ...schema }, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, { description });
}
