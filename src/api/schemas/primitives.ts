import { type TSchema, Type } from 'typebox';

const ADDRESS_TITLE = 'Base58Address';

/** A schema with a title is a component of the OpenAPI document, under that name. */
export const AddressText = Type.String({
  title: ADDRESS_TITLE,
  minLength: 32,
  maxLength: 44,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
});

export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const NullableUrl = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' });

/** An object of which nothing more is said. */
export const OpenObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

export const IsoInstant = Type.String({ title: 'IsoInstant', format: 'date-time' });

/** An address must also be 32 bytes, which no pattern can say. */
export function isAddressSchema(schema: TSchema): boolean {
  return 'title' in schema && schema.title === ADDRESS_TITLE;
}
