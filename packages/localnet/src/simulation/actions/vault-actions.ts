import { type Address, nonZeroAddress } from '@tidegate/core/base';
import {
  type AmountOrAll,
  claimBuilder,
  vaultDepositBuilder,
  vaultWithdrawBuilder,
} from '@tidegate/core/builders';
import { FARMS_PROGRAM, userStateAddress } from '@tidegate/core/protocol/farms';
import { unstake, withdrawUnstakedDeposits } from '@tidegate/core/protocol/farms/instructions';
import {
  farmState as farmStateLayout,
  userState as userStateLayout,
} from '@tidegate/core/protocol/farms/layout';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { openTokenAccount, transferTokensTo } from './token-instructions.ts';

/** A wallet's shares of a vault. */
export type VaultHolding = {
  readonly owner: Signer;
  readonly vault: Address;
  /** The permissioning authority of the vault, if it has one. */
  readonly authority?: Signer | undefined;
};

const signersOf = ({ owner, authority }: VaultHolding): readonly [Signer, ...Signer[]] =>
  authority === undefined ? [owner] : [owner, authority];

export function executeVaultDeposit(
  simulator: Simulator,
  holding: VaultHolding,
  { amount, stake }: { readonly amount: bigint; readonly stake?: boolean },
): TransactionRecord {
  const { owner, vault } = holding;
  const build = simulator.build(vaultDepositBuilder, {
    wallet: owner.address,
    vault,
    amount,
    stake,
  });
  return simulator.execute({ ...build, signers: signersOf(holding) });
}

export function executeVaultWithdraw(
  simulator: Simulator,
  holding: VaultHolding,
  shares: AmountOrAll,
): TransactionRecord {
  const { owner, vault } = holding;
  const build = simulator.build(vaultWithdrawBuilder, { wallet: owner.address, vault, shares });
  return simulator.execute({ ...build, signers: signersOf(holding) });
}

export function claimVaultRewards(
  simulator: Simulator,
  { owner, vault }: VaultHolding,
): TransactionRecord {
  const build = simulator.build(claimBuilder, { wallet: owner.address, vault });
  return simulator.execute({ ...build, signers: [owner] });
}

/** Vault shares are ordinary tokens. */
export function transferShares(
  simulator: Simulator,
  { owner, vault }: VaultHolding,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
): TransactionRecord | undefined {
  const vaultFields = findVault(simulator, vault);
  if (vaultFields === undefined) return undefined;
  const token = {
    mint: vaultFields.sharesMint,
    decimals: Number(vaultFields.sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
  };
  const instructions = transferTokensTo(token, { from: owner.address, to, amount });
  return simulator.execute({ instructions, signers: [owner] });
}

/** Scale of farm stakes. */
const WAD = 10n ** 18n;

/**
 * Moves a share of the staked vault shares back to the wallet, in whole shares. Returns undefined
 * if nothing is staked.
 */
export function unstakeShares(
  simulator: Simulator,
  { owner, vault }: VaultHolding,
  permille: bigint,
): TransactionRecord | undefined {
  const vaultFields = findVault(simulator, vault);
  const farm = vaultFields && nonZeroAddress(vaultFields.vaultFarm);
  if (vaultFields === undefined || farm === undefined) return undefined;
  const userState = userStateAddress(farm, owner.address);
  const stake = simulator.bank.account(userState);
  if (stake === undefined) return undefined;
  const { activeStakeScaled } = decodeCached(userStateLayout, stake);
  const shares = (activeStakeScaled * permille) / (1_000n * WAD);
  const stakeSharesScaled = shares * WAD;
  if (stakeSharesScaled === 0n) return undefined;
  const { farmVault, farmVaultsAuthority } = decodeCached(
    farmStateLayout,
    simulator.requireAccount(farm),
  );
  const token = { mint: vaultFields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  const accounts = { owner: owner.address, userState, farmState: farm };
  const instructions = [
    openTokenAccount(token, owner.address),
    unstake.build(FARMS_PROGRAM, {
      accounts: { ...accounts, scopePrices: undefined },
      args: { stakeSharesScaled },
    }),
    withdrawUnstakedDeposits.build(FARMS_PROGRAM, {
      accounts: {
        ...accounts,
        farmVault,
        farmVaultsAuthority,
        tokenProgram: TOKEN_PROGRAM,
        userAta: associatedTokenAddress(owner.address, token.mint, TOKEN_PROGRAM),
      },
      args: {},
    }),
  ];
  return simulator.execute({ instructions, signers: [owner] });
}

export function findVault(simulator: Simulator, vault: Address): VaultState | undefined {
  const account = simulator.bank.account(vault);
  return account && decodeCached(vaultState, account);
}
