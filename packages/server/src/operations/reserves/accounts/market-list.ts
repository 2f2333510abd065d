import { type Issue, parseAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { AddressString } from '../../../http/schemas/primitives.ts';

const MAX_MARKETS = 500;

export const MarketListString = Type.Union(
  [AddressString, Type.Array(AddressString, { minItems: 1 })],
  { description: 'Repeated or comma-separated; at most 500' },
);

type MarketList =
  | { readonly markets: readonly string[] }
  | { readonly issues: readonly [Issue, ...Issue[]] };

/** Parses a repeated or comma-separated parameter. Removes duplicates and preserves the order. */
export function parseMarketList(value: unknown): MarketList {
  const texts = [value].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : []));
  const [first, ...others] = texts.length > MAX_MARKETS ? [tooMany] : findIssues(texts);
  return first === undefined ? { markets: [...new Set(texts)] } : { issues: [first, ...others] };
}

function findIssues(texts: readonly string[]): readonly Issue[] {
  if (texts.length === 0) return [missing];
  return texts.flatMap((text, index): Issue[] => {
    if (parseAddress(text) !== undefined) return [];
    const message = `markets.${index} must be a base58 address of 32 bytes`;
    return [{ path: ['markets', index], code: 'invalid_address', message }];
  });
}

const missing: Issue = { path: ['markets'], code: 'required', message: 'markets is required' };

const tooMany: Issue = {
  path: ['markets'],
  code: 'too_big',
  message: `markets must have at most ${MAX_MARKETS} entries`,
  maximum: MAX_MARKETS,
};
