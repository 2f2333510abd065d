import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { requestElevationGroup } from '#core/protocol/klend/instructions/obligations.ts';
import {
  refreshObligation,
  refreshReservesBatch,
} from '#core/protocol/klend/instructions/refresh.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { invest } from '#core/protocol/kvault/instructions/allocation.ts';
import { reserveWhitelistEntryAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { RandomCluster } from './random-cluster.ts';
import {
  type ActionContext,
  type PreparedTransaction,
  pickItem,
  pickOptionalItem,
  type RandomAction,
} from './random-lending-actions.ts';

/** Refreshes the reserves of a market. */
export function randomRefresh({ cluster, random, wallet }: ActionContext): RandomAction {
  const market = pickItem(random, cluster.state.markets()).address;
  return {
    description: `refresh the reserves of ${market} by ${wallet}`,
    prepare: () => withMarketTables(cluster, wallet, [refreshAll(cluster, market)]),
  };
}

/** Moves a loan into or out of an elevation group. */
export function randomElevationGroup({
  cluster,
  random,
  wallet,
}: ActionContext): RandomAction | undefined {
  const loan = pickOptionalItem(random, cluster.state.obligationsOf(wallet));
  const balances = loan && cluster.accountIndex.obligation.get(loan.address);
  if (loan === undefined || balances === undefined) return undefined;
  const { lendingMarket } = loan.fields;
  const { elevationGroups } = cluster.state.market(lendingMarket)?.fields ?? {};
  const groups = [...(elevationGroups ?? [])].map(({ id }) => id).filter((id) => id > 0);
  const elevationGroup = pickItem(random, [0, ...groups]);
  const remaining = [...balances.deposits, ...balances.borrows].map(
    ({ reserve }) => ({ address: reserve, role: WRITE }) as const,
  );
  const accounts = { lendingMarket, obligation: loan.address };
  const refresh = refreshObligation.build(KLEND_PROGRAM, { accounts, args: {}, remaining });
  const request = requestElevationGroup.build(KLEND_PROGRAM, {
    accounts: { ...accounts, owner: wallet },
    args: { elevationGroup },
    remaining,
  });
  return {
    description: `group ${elevationGroup} for ${loan.address} of ${wallet}`,
    prepare: () =>
      withMarketTables(cluster, wallet, [refreshAll(cluster, lendingMarket), refresh, request]),
  };
}

function refreshAll({ state }: RandomCluster, market: Address): Instruction {
  return refreshReservesBatch.build(KLEND_PROGRAM, {
    accounts: {},
    args: { skipPriceUpdates: 1 },
    remaining: state.reservesOf(market).flatMap(({ address }) => [
      { address, role: WRITE },
      { address: market, role: READ },
    ]),
  });
}

/** Rebalances a vault. */
export function randomInvest({ cluster, random, wallet }: ActionContext): RandomAction | undefined {
  const vault = pickItem(random, cluster.state.vaults());
  const allocations = cluster.accountIndex.vault.get(vault.address)?.allocations ?? [];
  const reserve = cluster.state.reserve(pickItem(random, allocations).reserve);
  if (reserve === undefined) return undefined;
  return {
    description: `invest of vault ${vault.address} in ${reserve.address} by ${wallet}`,
    prepare: () => prepareInvestment({ cluster, wallet, vault, reserve }),
  };
}

/** Moves tokens of a vault into the reserve, or out of it. */
export const prepareInvestment = (investment: Investment): PreparedTransaction =>
  withMarketTables(investment.cluster, investment.wallet, [investInstruction(investment)]);

type Investment = Pick<ActionContext, 'cluster' | 'wallet'> & {
  readonly vault: ReturnType<RandomCluster['state']['vaults']>[number];
  readonly reserve: NonNullable<ReturnType<RandomCluster['state']['reserve']>>;
};

function investInstruction({ cluster, wallet, vault, reserve }: Investment): Instruction {
  const { tokenMint, tokenVault, tokenProgram, baseVaultAuthority } = vault.fields;
  const { liquidity, collateral, lendingMarket } = reserve.fields;
  const allocations = cluster.accountIndex.vault.get(vault.address)?.allocations ?? [];
  const reserves = allocations.map(({ reserve: address }) => cluster.state.reserve(address));
  const allocation = allocations.find((each) => each.reserve === reserve.address);
  const entry = reserveWhitelistEntryAddress(reserve.address);
  return invest.build(KVAULT_PROGRAM, {
    accounts: {
      payer: wallet,
      payerTokenAccount: associatedTokenAddress(wallet, tokenMint, tokenProgram),
      vaultState: vault.address,
      tokenVault,
      tokenMint,
      baseVaultAuthority,
      lendingMarket,
      tokenProgram,
      ctokenVault: allocation?.ctokenVault ?? ZERO_ADDRESS,
      reserve: reserve.address,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      reserveWhitelistEntry: cluster.bank.account(entry) === undefined ? undefined : entry,
      klendProgram: KLEND_PROGRAM,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    args: {},
    remaining: [
      ...allocations.map(({ reserve: address }) => ({ address, role: WRITE }) as const),
      ...reserves.flatMap((state) =>
        state === undefined ? [] : [{ address: state.fields.lendingMarket, role: READ } as const],
      ),
    ],
  });
}

/** Adds the lookup tables of all markets, so that the transaction fits. */
function withMarketTables(
  { state, genesis }: RandomCluster,
  wallet: Address,
  instructions: readonly Instruction[],
): PreparedTransaction {
  const lookupTables = genesis.metadata.markets.flatMap(({ lookupTable }) => {
    const table = lookupTable && state.lookupTable(lookupTable);
    return table ? [{ address: table.address, addresses: table.fields.addresses }] : [];
  });
  return { build: { wallet, instructions, lookupTables } };
}
