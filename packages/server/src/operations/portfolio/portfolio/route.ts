import { type Address, toAddress } from '@tidegate/core/base';
import { trackPrices } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { formatIsoInstant } from '../../../support/decimals/live-decimals.ts';
import {
  setOmittedHeader,
  setStalePricesHeader,
  unreadableAccounts,
} from '../../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import {
  tokenSymbolOrMint,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { ProgramIdString, parseProgramId } from '../../../support/schemas/program-id.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { createCTokenReader } from './ctoken-accounts.ts';
import { portfolioJson } from './json.ts';
import { portfolioOmissions, portfolioReservePriceAges, readPortfolio } from './query.ts';
import { Portfolio } from './schema.ts';

export const getPortfolio: OperationPlugin = (context) => async (app) => {
  const { clusters, tokens } = context;
  const pricingOf = vaultPricingCache(context);
  const marketOf = marketCache(context);
  const readCTokens = createCTokenReader();

  app.get(
    '/portfolio/:pubkey',
    defineOperation(
      {
        operationId: 'getPortfolio',
        tag: 'portfolio',
        summary: 'Portfolio of a wallet',
        description:
          'Loans of one lending program, vault shares, staked tokens, and cTokens in the wallet itself (ctokens), as of the slot of the response. Liquidity strategies are not indexed. A position that cannot be valued is omitted, and the errors of its section have the reason.',
        weight: 5,
        statuses: [400, 500],
        dependsOn: [...VAULT_DEPENDENCIES, 'obligation', 'farmUser', 'shares', 'tokens'],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: Type.Object({ programId: Type.Optional(ProgramIdString) }),
        response: Portfolio,
      },
    ),
    async ({ params, query }, reply) => {
      const programId = parseProgramId(query.programId);
      const cluster = clusters.requireLoaded(undefined);
      const owner = toAddress(params.pubkey);
      const ctokens = await readCTokens(owner, cluster, programId);
      // last, because a gap removes the wallet from state
      await cluster.loadWallet(owner);
      const untracked = pricingOf(cluster);
      const pricing = trackPrices(untracked);
      const portfolio = readPortfolio(owner, { cluster, programId, pricing, marketOf, ctokens });
      const { registry } = cluster;
      const symbolOf = (mint: Address) =>
        tokenSymbolOrMint(mint, { registry, pricing: untracked, catalogue: tokens });
      const priceOf = (mint: Address) => pricing.tokens(mint)?.price;
      const json = portfolioJson(portfolio, {
        now: formatIsoInstant(pricing.at.unix),
        symbolOf,
        priceOf,
      });
      setStalePricesHeader(reply, [
        ...pricing.priceAges(),
        ...portfolioReservePriceAges(portfolio, pricing.at.unix),
      ]);
      setOmittedHeader(reply, [
        ...portfolioOmissions(portfolio),
        ...unreadableAccounts(cluster.reader, 'obligation', owner),
        ...unreadableAccounts(cluster.reader, 'farmUser', owner),
        ...unreadableAccounts(cluster.reader, 'vault'),
      ]);
      return json;
    },
  );
};
