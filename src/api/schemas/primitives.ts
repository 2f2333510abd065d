import { type TSchema, Type } from 'typebox';
import { ENVS, type Env } from '../clusters.ts';

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

/** An exact number: no exponent, no grouping, no plus. */
export const DecimalText = Type.String({
  title: 'DecimalString',
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
});

export const U64Text = Type.String({ title: 'U64String', pattern: '^(0|[1-9][0-9]{0,19})$' });

export const U128Text = Type.String({ title: 'U128String', pattern: '^(0|[1-9][0-9]{0,38})$' });

export const EpochMillis = Type.Number({ title: 'EpochMillis' });

/** The cluster that is asked; without one, the deployment's primary cluster. */
export const EnvText = Type.Unsafe<Env>({ type: 'string', enum: [...ENVS] });

export const IsoInstant = Type.String({ title: 'IsoInstant', format: 'date-time' });

/** An address must also be 32 bytes, which no pattern can say. */
export function isAddressSchema(schema: TSchema): boolean {
  return 'title' in schema && schema.title === ADDRESS_TITLE;
}
