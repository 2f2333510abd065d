import type { Address } from '../../base/address.ts';
import { type AccountMeta, READ, WRITE } from '../../base/instruction.ts';
import type { Amount } from '../../builders/build.ts';
import { claimRewards } from '../../builders/claim-rewards.ts';
import { vaultDeposit } from '../../builders/vault-deposit.ts';
import { vaultWithdraw } from '../../builders/vault-withdraw.ts';
import { reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import { lendingMarketAuthority } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { invest } from '../../protocol/kvault/instructions/invest.ts';
import { type VaultState, vaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { usedAllocations } from '../../protocol/kvault/math/holdings.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { associatedToken } from '../../protocol/spl/associated-token.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { decoded } from '../runtime/typed-accounts.ts';
import type { Signer } from '../signer.ts';
import type { TransactionRecord } from '../transactions/transaction-record.ts';
import type { Player } from './player.ts';
import { giveTokens, openTokens } from './token-acts.ts';

/** Somebody's shares of a vault. */
export type Savings = { readonly owner: Signer; readonly vault: Address };

export function save(
  player: Player,
  { owner, vault }: Savings,
  { amount, stake }: { readonly amount: bigint; readonly stake?: boolean },
): TransactionRecord {
  const build = player.build(vaultDeposit, { wallet: owner.address, vault, amount, stake });
  return player.act({ ...build, signers: [owner] });
}

export function redeem(
  player: Player,
  { owner, vault }: Savings,
  shares: Amount,
): TransactionRecord {
  const build = player.build(vaultWithdraw, { wallet: owner.address, vault, shares });
  return player.act({ ...build, signers: [owner] });
}

export function claimVault(player: Player, { owner, vault }: Savings): TransactionRecord {
  const build = player.build(claimRewards, { wallet: owner.address, vault });
  return player.act({ ...build, signers: [owner] });
}

/** Shares are tokens: they change hands like any other. */
export function giveShares(
  player: Player,
  { owner, vault }: Savings,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
): TransactionRecord | undefined {
  const fields = vaultAt(player, vault);
  if (fields === undefined) return undefined;
  const token = {
    mint: fields.sharesMint,
    decimals: Number(fields.sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
  };
  const instructions = giveTokens(token, { from: owner.address, to, amount });
  return player.act({ instructions, signers: [owner] });
}

export function vaultAt(player: Player, vault: Address): VaultState | undefined {
  const account = player.bank.account(vault);
  return account && decoded(vaultState, account);
}

/** Moves every reserve of a vault towards its share, one transaction each; anybody may. */
export function investAll(player: Player, vault: Address, payer: Signer): TransactionRecord[] {
  const fields = vaultAt(player, vault);
  if (fields === undefined) return [];
  return usedAllocations(fields).flatMap(({ reserve, ctokenVault }) => {
    const account = player.bank.account(reserve);
    if (account === undefined) return [];
    const { lendingMarket, liquidity, collateral } = decoded(reserveLayout, account);
    const { tokenMint, tokenProgram, tokenVault, baseVaultAuthority } = fields;
    const instruction = invest.build(KVAULT_PROGRAM, {
      accounts: {
        payer: payer.address,
        payerTokenAccount: associatedToken(payer.address, tokenMint, tokenProgram),
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
    const token = { mint: tokenMint, decimals: 0, tokenProgram };
    const instructions = [openTokens(token, payer.address), instruction];
    return [player.act({ instructions, signers: [payer] })];
  });
}

/** As every call of the vault program has them behind its own accounts. */
function reservesAndMarkets(player: Player, fields: VaultState): AccountMeta[] {
  const reserves = usedAllocations(fields).map(({ reserve }) => reserve);
  const markets = reserves.flatMap((reserve) => {
    const account = player.bank.account(reserve);
    return account === undefined ? [] : [decoded(reserveLayout, account).lendingMarket];
  });
  return [
    ...reserves.map((address): AccountMeta => ({ address, role: WRITE })),
    ...markets.map((address): AccountMeta => ({ address, role: READ })),
  ];
}
