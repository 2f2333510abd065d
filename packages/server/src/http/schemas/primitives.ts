import { type TSchema, Type } from 'typebox';
import { CLUSTER_NAMES, type ClusterName } from '../../clusters/served-clusters.ts';

const ADDRESS_TITLE = 'Base58Address';
const AMOUNT_TITLES = { exact: 'PositiveAmount', orAll: 'AmountOrAll' } as const;

/** A schema with a title becomes a component of the OpenAPI document. */
export const AddressString = Type.String({
  title: ADDRESS_TITLE,
  minLength: 32,
  maxLength: 44,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
});

export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const NullableUrl = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' });

/** An object with any properties. */
export const OpenObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** An exact number without exponent, grouping or plus sign. */
export const DecimalString = Type.String({
  title: 'DecimalString',
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
});

/** The builders check the format, because their message depends on the token. */
export const AmountString = Type.String({
  title: AMOUNT_TITLES.exact,
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  description: 'Positive amount in whole tokens, with at most as many decimals as the token',
});

export const AmountOrAllString = Type.Union([AmountString, Type.Literal('U64::MAX')], {
  title: AMOUNT_TITLES.orAll,
  description: 'Amount in whole tokens; 18446744073709551615 or U64::MAX for the full balance',
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

export const ClusterNameString = Type.Unsafe<ClusterName>({
  type: 'string',
  enum: [...CLUSTER_NAMES],
  description: 'Cluster to read; the primary one if omitted. A cluster that is not served is a 400',
});

export const IsoInstant = Type.String({ title: 'IsoInstant', format: 'date-time' });

/** The validator also checks that an address has 32 bytes, which a pattern cannot. */
export function isAddressSchema(schema: TSchema): boolean {
  return 'title' in schema && schema.title === ADDRESS_TITLE;
}

export function isAddressListSchema(schema: TSchema): boolean {
  return 'items' in schema && isAddressSchema(schema.items as TSchema);
}

export function isAmountSchema(schema: TSchema): boolean {
  const titles: readonly unknown[] = Object.values(AMOUNT_TITLES);
  return 'title' in schema && titles.includes(schema.title);
}
