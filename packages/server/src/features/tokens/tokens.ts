import { CodedError, parseAddress } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, NullableNumber, NullableUrl } from '../../http/schemas/primitives.ts';
import type { Feature } from '../feature-context.ts';

const TokenInfo = Type.Object(
  {
    mint: AddressString,
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 255 }),
    logoUrl: Type.Optional(NullableUrl),
    verified: Type.Boolean(),
    tradingVolume24H: Type.Optional(NullableNumber),
    marketCapUsd: Type.Optional(NullableNumber),
    priority: Type.Integer(),
  },
  { title: 'TokenInfo' },
);

const Query = Type.Object({
  verified: Type.Optional(Type.Boolean({ description: 'If true, only verified tokens' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
  mint: Type.Optional(AddressString),
  symbol: Type.Optional(
    Type.String({ minLength: 1, description: 'Exact symbol, case-insensitive' }),
  ),
});

const RETRY_SECONDS = 5;

/** Unknown fields are null. */
function tokenJson(token: Token): Required<Static<typeof TokenInfo>> {
  return {
    mint: token.mint,
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    logoUrl: token.logoUrl,
    verified: token.verified,
    tradingVolume24H: token.tradingVolume24H,
    marketCapUsd: token.marketCapUsd,
    priority: token.priority,
  };
}

export const listTokens: Feature =
  ({ tokens, metrics }) =>
  async (app) => {
    metrics.gauge(
      'tidegate_tokens',
      'Tokens in the catalogue.',
      () => tokens.catalogue()?.size ?? 0,
    );
    app.get(
      '/tokens-api/tokens',
      defineOperation(
        {
          operationId: 'listTokens',
          tag: 'tokens',
          summary: 'Tokens by 24h trading volume',
          description:
            'Has every token of a known reserve or vault. Filters are combined with AND. Highest volume first, tokens without market data last; ties are sorted by priority, then by mint. Volume and market cap are null unless a configured source has them.',
          weight: 1,
          statuses: [400, 500],
          cacheVersion: () => tokens.version(),
        },
        { querystring: Query, response: Type.Array(TokenInfo) },
      ),
      async ({ query: { limit = 20, mint, symbol, verified } }) => {
        const catalogue = tokens.catalogue();
        if (catalogue === undefined) {
          throw new CodedError('TOKENS_NOT_LOADED', { retryAfterSeconds: RETRY_SECONDS });
        }
        const address = mint === undefined ? undefined : parseAddress(mint);
        return catalogue.find({ limit, mint: address, symbol, verified }).map(tokenJson);
      },
    );
  };
