import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, toAddress } from '@tidegate/core/base';
import {
  collectSection,
  isOpenFarmStake,
  type VaultPosition,
  viewEarnPositions,
  viewFarmStake,
  viewPortfolioLoans,
  viewVaultPositions,
} from '@tidegate/core/views/portfolio';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatIsoInstant } from '../../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { ProgramIdString, parseProgramId } from '../../lending-program/program-id.ts';
import type { MarketCache } from '../../pricing/market-cache.ts';
import { tokenSymbolOrMint, type VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { readFarmPurposes } from '../pending-rewards/route.ts';
import {
  earnJson,
  lendingJson,
  multiplyJson,
  NOT_INDEXED_SECTION,
  portfolioSectionJson,
  stakingJson,
} from './json.ts';
import { Portfolio } from './schema.ts';

type Parts = Pick<FeatureContext, 'clusters' | 'tokens'> & {
  readonly termsOf: VaultPricingCache;
  readonly marketOf: MarketCache;
};

export const getPortfolio =
  ({ clusters, tokens, termsOf, marketOf }: Parts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/portfolio/:pubkey',
      defineOperation(
        {
          operationId: 'getPortfolio',
          tag: 'portfolio',
          summary: 'Everything that a wallet has',
          description:
            'Loans of one lending program, vault shares and staked tokens, in the slot of the answer. Liquidity strategies are not indexed. A position that cannot be counted is left out, and its section says why.',
          weight: 5,
          statuses: [400, 500],
          keptWhile: () => clusters.version(),
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({ programId: Type.Optional(ProgramIdString) }),
          answer: Portfolio,
        },
      ),
      async ({ params, query }) => {
        const programId = parseProgramId(query.programId);
        const cluster = clusters.select(undefined);
        const owner = toAddress(params.pubkey);
        await cluster.ensureWallet(owner);
        const terms = termsOf(cluster);
        const held = heldBy(owner, { cluster, programId, terms, marketOf });
        const { registry } = cluster;
        const ticker = (mint: Address) =>
          tokenSymbolOrMint(mint, { registry, terms, catalogue: tokens });
        const price = (mint: Address) => terms.tokens(mint)?.price;
        return toJson(held, { now: formatIsoInstant(terms.at.unix), ticker, price });
      },
    );
  };

type Asked = {
  readonly cluster: Cluster;
  readonly programId: Address;
  readonly terms: VaultViewContext;
  readonly marketOf: MarketCache;
};

/** All sections of a wallet, exact. */
function heldBy(owner: Address, { cluster, programId, terms, marketOf }: Asked) {
  const { reader, registry } = cluster;
  const obligations = reader.obligationsOf(owner).filter(({ program }) => program === programId);
  const shares = viewVaultPositions(reader.vaults(), owner, reader);
  const isPrivate = ({ vault }: VaultPosition) => registry.privateCreditVaults.has(vault);
  const worthOf = (positions: readonly VaultPosition[]) =>
    viewEarnPositions(positions, (address) => reader.vault(address), terms);
  return {
    ...viewPortfolioLoans(obligations, (address) => marketOf(reader, address)),
    earn: worthOf(shares.filter((position) => !isPrivate(position))),
    privateCredit: worthOf(shares.filter(isPrivate)),
    staking: stakesOf(owner, cluster),
  };
}

/** Stakes of tokens; those of loans and vault shares are part of what they are stakes of. */
function stakesOf(owner: Address, { reader }: Cluster) {
  const purposes = readFarmPurposes(reader);
  return collectSection(reader.farmUsersOf(owner), (user) => {
    const farm = reader.farm(user.fields.farmState);
    const stake = farm && viewFarmStake(user, farm, purposes);
    return stake?.purpose.kind === 'token' && isOpenFarmStake(stake) ? stake : undefined;
  });
}

type Words = Parameters<typeof stakingJson>[1] & { readonly now: string };

function toJson(held: ReturnType<typeof heldBy>, words: Words): Static<typeof Portfolio> {
  const { now, ticker } = words;
  return {
    timestamp: now,
    sections: {
      lending: portfolioSectionJson(held.lending, now),
      multiply: portfolioSectionJson(held.multiply, now),
      leverage: portfolioSectionJson(held.leverage, now),
      liquidity: NOT_INDEXED_SECTION,
      earn: portfolioSectionJson(held.earn, now),
      privateCredit: portfolioSectionJson(held.privateCredit, now),
      staking: portfolioSectionJson(held.staking, now),
    },
    lending: held.lending.items.map(lendingJson),
    multiply: held.multiply.items.map(multiplyJson),
    leverage: held.leverage.items.map(multiplyJson),
    liquidity: [],
    earn: held.earn.items.map((position) => earnJson(position, ticker)),
    privateCredit: held.privateCredit.items.map((position) => earnJson(position, ticker)),
    staking: held.staking.items.map((stake) => stakingJson(stake, words)),
  };
}
