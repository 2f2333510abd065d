import { type AccountMeta, type Address, READ, WRITE } from '@tidegate/core/base';
import { KLEND_PROGRAM, lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { exchangeRate } from '@tidegate/core/protocol/klend/math';
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

/** A reserve that a vault lends to, and the vault's account for its cTokens. */
type Place = ReturnType<typeof usedAllocations>[number];

/** Moves every reserve of a vault towards its share where that moves anything, one transaction each; anybody may. */
export function investVault(player: Simulator, vault: Address, payer: Signer): TransactionRecord[] {
  const fields = findVault(player, vault);
  if (fields === undefined || fields.sharesIssued === 0n) return [];
  return usedAllocations(fields).flatMap((place) => {
    const now = findVault(player, vault);
    if (now === undefined || !wouldMove(player, now, place.reserve)) return [];
    const { tokenMint: mint, tokenProgram } = now;
    const open = openTokenAccount({ mint, decimals: 0, tokenProgram }, payer.address);
    const instructions = [open, investIn(player, { vault, fields: now, place }, payer)];
    return [player.act({ instructions, signers: [payer] })];
  });
}

function wouldMove(player: Simulator, vault: VaultState, reserve: Address): boolean {
  const exchanges = usedAllocations(vault).flatMap((place) => {
    const now = refreshedReserve(player, place.reserve);
    return now === undefined ? [] : [[place.reserve, exchangeRate(now)] as const];
  });
  const moment = { exchanges: new Map(exchanges), time: player.time };
  const plans = planInvest(vault, moment, new Set([reserve]));
  return plans.find((plan) => plan.reserve === reserve)?.outcome.kind === 'moves';
}

type Investment = {
  readonly vault: Address;
  readonly fields: VaultState;
  readonly place: Place;
};

function investIn(player: Simulator, { vault, fields, place }: Investment, payer: Signer) {
  const { reserve, ctokenVault } = place;
  const { lendingMarket, liquidity, collateral } = decodeCached(
    reserveLayout,
    player.accountOf(reserve),
  );
  const { tokenMint, tokenProgram, tokenVault, baseVaultAuthority } = fields;
  return invest.build(KVAULT_PROGRAM, {
    accounts: {
      payer: payer.address,
      payerTokenAccount: associatedTokenAddress(payer.address, tokenMint, tokenProgram),
      vaultState: vault,
      ...{ tokenVault, tokenMint, baseVaultAuthority, ctokenVault, reserve, lendingMarket },
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
    remaining: reservesAndMarkets(player, fields),
  });
}

/** As every call of the vault program has them behind its own accounts. */
function reservesAndMarkets(player: Simulator, fields: VaultState): AccountMeta[] {
  const reserves = usedAllocations(fields).map(({ reserve }) => reserve);
  const markets = reserves.flatMap((reserve) => {
    const account = player.bank.account(reserve);
    return account === undefined ? [] : [decodeCached(reserveLayout, account).lendingMarket];
  });
  return [
    ...reserves.map((address): AccountMeta => ({ address, role: WRITE })),
    ...markets.map((address): AccountMeta => ({ address, role: READ })),
  ];
}
