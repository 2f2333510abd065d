import {
  defaultFrequency,
  type Frequency,
  type RangeLimits,
  type TimeRange,
} from '@tidegate/core/base';
import { type TSchema, Type } from 'typebox';

type Query = { readonly frequency?: unknown };

/** How far apart the points of a history are. */
export type FrequencyRule<Name extends Frequency> = {
  /** Of a range, and of a query that may not be validated yet. */
  readonly of: (range: TimeRange, query: Query) => Name;
  /** The parameter, if callers can choose. */
  readonly parameter?: TSchema;
  /** The longest range of each frequency. */
  readonly limits?: RangeLimits;
};

export const DAILY: FrequencyRule<'day'> = { of: () => 'day' };

/** Hours, or days for a range of more than this number of days. */
export const hourlyUpTo = (days: bigint): FrequencyRule<'hour' | 'day'> => ({
  of: (range) => defaultFrequency(range, days),
});

type Choice<Name extends Frequency> = {
  readonly names: readonly Name[];
  /** Without the parameter: the same for all ranges, or by the range. */
  readonly fallback: Name | ((range: TimeRange) => Name);
  readonly limits: RangeLimits;
  readonly description: string;
};

/** The caller chooses by the parameter `frequency`. */
export function chosenFrequency<const Name extends Frequency>({
  names,
  fallback,
  limits,
  description,
}: Choice<Name>): FrequencyRule<Name> {
  const isFixed = typeof fallback === 'string';
  return {
    limits,
    parameter: Type.Optional(
      Type.Unsafe<Name>({
        type: 'string',
        enum: [...names],
        ...(isFixed && { default: fallback }),
        description,
      }),
    ),
    of: (range, { frequency }) =>
      names.find((name) => name === frequency) ?? (isFixed ? fallback : fallback(range)),
  };
}
