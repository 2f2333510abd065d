import type { Address } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import type { BuildContext } from '#core/builders/build.ts';
import { withMoreTokens } from '#core/builders/plans/chained-context.ts';
import { withReserves } from '#core/builders/plans/overlaid-state.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';

/** The cluster as if a market had lowered its liquidation thresholds: its loans can be liquidated. */
export function withLiquidatableLoans(cluster: Cluster, market: Address): Cluster {
  return { ...cluster, reader: withLowThresholds(cluster.reader, market) };
}

function withLowThresholds(reader: ClusterReader, market: Address): ClusterReader {
  const changed = reader.reservesOf(market).map(({ address, program, data }) => {
    const fields = reserveLayout.decode({ owner: program, data });
    const config = { ...fields.config, loanToValuePct: 1, liquidationThresholdPct: 2 };
    return [address, { ...fields, config }] as const;
  });
  return withReserves(reader, new Map(changed));
}

/** The cluster as if a node had a transaction that was recorded on mainnet. */
export function withLandedTransaction(cluster: Cluster, response: LandedTransaction): Cluster {
  const slot = toSlot(BigInt(response.slot));
  const found = { slot, confirmation: 'finalized', error: null } as const;
  return {
    ...cluster,
    transactionStatus: async () => ({
      slot,
      blockHeight: slot - RECORDED_SKIPPED_SLOTS,
      found,
      isExpired: false,
    }),
    findTransaction: async () => response,
  };
}

/** A `getTransaction` result. */
export type LandedTransaction = { readonly slot: number };

/** About as many slots of mainnet had no block then. */
const RECORDED_SKIPPED_SLOTS = 21_700_000n;

/** More than any debt of the simulated wallets. */
const PLENTY = 10n ** 15n;

/** The cluster as if a wallet had plenty of every token of a market. */
export function withFundedWallet(cluster: Cluster, market: Address, wallet: Address): Cluster {
  const { reader: state } = cluster;
  return {
    ...cluster,
    readAccounts: async (addresses, ...options) => {
      const read = await cluster.readAccounts(addresses, ...options);
      const funded = state.reservesOf(market).reduce<BuildContext>(
        (context, { fields }) => {
          const { mintPubkey: mint, tokenProgram } = fields.liquidity;
          return withMoreTokens({ wallet, mint, tokenProgram, amount: PLENTY }, context);
        },
        { state, accounts: read.accounts },
      );
      const accounts = addresses.map((address) => [address, funded.accounts.get(address)] as const);
      return { ...read, accounts: new Map(accounts) };
    },
  };
}
