import { parseAddress } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, NullableNumber, NullableUrl } from '../../http/schemas/primitives.ts';
import type { OperationPlugin } from '../operation-context.ts';

const TokenInfo = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the token'),
    symbol: Type.String({ description: 'Symbol of the token' }),
    name: Type.String({ description: 'Name of the token' }),
    decimals: describe(Type.Integer({ minimum: 0, maximum: 255 }), 'Decimals of the mint'),
    logoUrl: describe(Type.Optional(NullableUrl), 'URL of the logo; null if there is none'),
    verified: Type.Boolean({ description: 'Whether the token is verified' }),
    tradingVolume24H: describe(
      Type.Optional(NullableNumber),
      'USD that moved in the last 24 hours; null if unknown. On a localnet: the tokens that lending and vault transactions moved between wallets, vaults and reserves, each at the price of its time; elsewhere, the figure of the configured source',
    ),
    marketCapUsd: describe(
      Type.Optional(NullableNumber),
      'Market capitalization in USD; null if unknown. On a localnet: supply of the mint times price; elsewhere, the figure of the configured source',
    ),
    priority: Type.Integer({ description: 'Display hint, lower first' }),
  },
  { title: 'TokenInfo' },
);

const Query = Type.Object({
  verified: Type.Optional(Type.Boolean({ description: 'If true, only verified tokens' })),
  limit: describe(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
    'Maximum number of tokens',
  ),
  mint: describe(Type.Optional(AddressString), 'Only the token with this mint'),
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

export const listTokens: OperationPlugin =
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
            'Has every token of a known reserve or vault. Filters are combined with AND. Highest volume first, tokens without market data last; ties are sorted by priority, then by mint. On a localnet, volume and market cap are counted on the cluster once a minute; elsewhere they are those of the configured source, or null.',
          weight: 1,
          statuses: [400, 500],
          dependsOn: ['tokens'],
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
