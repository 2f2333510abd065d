import { type AccountMeta, type Address, READ, WRITE } from '@tidegate/core/base';
import { KLEND_PROGRAM, lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { ctokenExchangeRate } from '@tidegate/core/protocol/klend/math';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { invest } from '@tidegate/core/protocol/kvault/instructions';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { planInvest } from '@tidegate/core/protocol/kvault/operations';
import {
  associatedTokenAddress,
  INSTRUCTIONS_SYSVAR,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { refreshedReserve } from './loan-state.ts';
import { openTokenAccount } from './token-instructions.ts';
import { findVault } from './vault-actions.ts';

/** A reserve that a vault lends to, and the vault's cToken account. */
type Allocation = ReturnType<typeof usedAllocations>[number];

/**
 * Moves every reserve of a vault towards its target allocation, one transaction each. Anyone may
 * invest a vault.
 */
export function investVault(
  simulator: Simulator,
  vault: Address,
  payer: Signer,
): TransactionRecord[] {
  const fields = findVault(simulator, vault);
  if (fields === undefined || fields.sharesIssued === 0n) return [];
  return usedAllocations(fields).flatMap((allocation) => {
    const current = findVault(simulator, vault);
    if (current === undefined || !needsInvestment(simulator, current, allocation.reserve))
      return [];
    const { tokenMint: mint, tokenProgram } = current;
    const open = openTokenAccount({ mint, decimals: 0, tokenProgram }, payer.address);
    const instructions = [open, investIn(simulator, { vault, fields: current, allocation }, payer)];
    return [simulator.execute({ instructions, signers: [payer] })];
  });
}

function needsInvestment(simulator: Simulator, vault: VaultState, reserve: Address): boolean {
  const rates = usedAllocations(vault).flatMap((allocation) => {
    const current = refreshedReserve(simulator, allocation.reserve);
    return current === undefined
      ? []
      : [[allocation.reserve, ctokenExchangeRate(current)] as const];
  });
  const planContext = {
    exchanges: new Map(rates),
    time: simulator.time,
    rules: simulator.rules.vaults,
  };
  const plans = planInvest(vault, planContext, new Set([reserve]));
  return plans.find((plan) => plan.reserve === reserve)?.outcome.kind === 'moves';
}

type Investment = {
  readonly vault: Address;
  readonly fields: VaultState;
  readonly allocation: Allocation;
};

function investIn(simulator: Simulator, { vault, fields, allocation }: Investment, payer: Signer) {
  const { reserve, ctokenVault } = allocation;
  const { lendingMarket, liquidity, collateral } = decodeCached(
    reserveLayout,
    simulator.requireAccount(reserve),
  );
  const { tokenMint, tokenProgram, tokenVault, baseVaultAuthority } = fields;
  return invest.build(KVAULT_PROGRAM, {
    accounts: {
      payer: payer.address,
      payerTokenAccount: associatedTokenAddress(payer.address, tokenMint, tokenProgram),
      vaultState: vault,
      tokenVault,
      tokenMint,
      baseVaultAuthority,
      ctokenVault,
      reserve,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      reserveWhitelistEntry: undefined,
      klendProgram: KLEND_PROGRAM,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    args: {},
    remaining: reservesAndMarkets(simulator, fields),
  });
}

/** Every kvault instruction lists them after its own accounts. */
export function reservesAndMarkets(simulator: Simulator, fields: VaultState): AccountMeta[] {
  const reserves = usedAllocations(fields).map(({ reserve }) => reserve);
  const markets = reserves.flatMap((reserve) => {
    const account = simulator.bank.account(reserve);
    return account === undefined ? [] : [decodeCached(reserveLayout, account).lendingMarket];
  });
  return [
    ...reserves.map((address): AccountMeta => ({ address, role: WRITE })),
    ...markets.map((address): AccountMeta => ({ address, role: READ })),
  ];
}
