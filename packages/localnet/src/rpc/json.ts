/** What an answer is made of. Undefined members of an object are left out. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonFields;

export type JsonFields = { readonly [name: string]: Json | undefined };

/** JSON in which a bigint is a plain whole number, as a node writes its 64-bit numbers. */
export function formatJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(formatJson).join()}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${formatJson(member)}`],
  );
  return `{${members.join()}}`;
}

/** `Array.isArray` does not narrow a union with a readonly array. */
const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

export type JsonObject = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same answer with another slot in its context, or of another slot if it is one. */
export function shiftSlots(value: Json, by: bigint): Json {
  if (typeof value === 'bigint') return value + by;
  if (!isMembers(value) || !isMembers(value['context'])) return value;
  const { slot } = value['context'];
  if (typeof slot !== 'bigint') return value;
  return { ...value, context: { ...value['context'], slot: slot + by } };
}

const isMembers = (value: Json | undefined): value is JsonFields => isObject(value);
