/** A JSON value. Undefined object members are omitted. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonFields;

const TEXT = Symbol('text');

export type JsonFields = {
  readonly [name: string]: Json | undefined;
  /** The value is text already. */
  readonly [TEXT]?: string;
};

/** A value that is formatted already. */
export const formattedJson = (text: string): JsonFields => ({ [TEXT]: text });

/** Formats bigints as plain integers, as nodes do with 64-bit numbers. */
export function formatJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(formatJson).join()}]`;
  if (value[TEXT] !== undefined) return value[TEXT];
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

/** Shifts the context slot of a response, or the slot itself if the response is one. */
export function shiftSlots(value: Json, offset: bigint): Json {
  if (typeof value === 'bigint') return value + offset;
  if (!isJsonFields(value) || !isJsonFields(value['context'])) return value;
  const { slot } = value['context'];
  if (typeof slot !== 'bigint') return value;
  return { ...value, context: { ...value['context'], slot: slot + offset } };
}

const isJsonFields = (value: Json | undefined): value is JsonFields => isObject(value);
