import { type TSchema, Type } from 'typebox';
import { CLUSTER_NAMES, type ClusterName } from '../../clusters/served-clusters.ts';

const ADDRESS_TITLE = 'Base58Address';
const AMOUNT_TITLES = { exact: 'PositiveAmount', orAll: 'AmountOrAll' } as const;

/** A schema with a title is a component of the OpenAPI document, under that name. */
export const AddressString = Type.String({
  title: ADDRESS_TITLE,
  minLength: 32,
  maxLength: 44,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
});

export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const NullableUrl = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' });

/** An object of which nothing more is said. */
export const OpenObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** An exact number: no exponent, no grouping, no plus. */
export const DecimalString = Type.String({
  title: 'DecimalString',
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
});

/** Whole tokens, above zero. Its form is checked where it is read, which can say what to change. */
export const AmountString = Type.String({
  title: AMOUNT_TITLES.exact,
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  description: 'In whole tokens, above zero, with no more decimals than the token has',
});

/** The same, or as much as there is. */
export const AmountOrAllString = Type.Union([AmountString, Type.Literal('U64::MAX')], {
  title: AMOUNT_TITLES.orAll,
  description: 'In whole tokens; 18446744073709551615 and U64::MAX mean everything',
});

export const Base64String = Type.Unsafe<string>({
  title: 'Base64Bytes',
  type: 'string',
  contentEncoding: 'base64',
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
});

export const U64String = Type.String({ title: 'U64String', pattern: '^(0|[1-9][0-9]{0,19})$' });

export const U128String = Type.String({ title: 'U128String', pattern: '^(0|[1-9][0-9]{0,38})$' });

export const EpochMillis = Type.Number({ title: 'EpochMillis' });

/** The cluster that is asked; without one, the deployment's primary cluster. */
export const ClusterNameString = Type.Unsafe<ClusterName>({
  type: 'string',
  enum: [...CLUSTER_NAMES],
});

export const IsoInstant = Type.String({ title: 'IsoInstant', format: 'date-time' });

/** An address must also be 32 bytes, which no pattern can say. */
export function isAddressSchema(schema: TSchema): boolean {
  return 'title' in schema && schema.title === ADDRESS_TITLE;
}

export function isAddressListSchema(schema: TSchema): boolean {
  return 'items' in schema && isAddressSchema(schema.items as TSchema);
}

/** What a text is worth as an amount depends on the token, and is told there. */
export function isAmountSchema(schema: TSchema): boolean {
  const titles: readonly unknown[] = Object.values(AMOUNT_TITLES);
  return 'title' in schema && titles.includes(schema.title);
}
