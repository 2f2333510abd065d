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

/** Somebody's shares of a vault. */
export type VaultHolding = { readonly owner: Signer; readonly vault: Address };

export function executeVaultDeposit(
  player: Simulator,
  { owner, vault }: VaultHolding,
  { amount, stake }: { readonly amount: bigint; readonly stake?: boolean },
): TransactionRecord {
  const build = player.build(vaultDepositBuilder, { wallet: owner.address, vault, amount, stake });
  return player.act({ ...build, signers: [owner] });
}

export function executeVaultWithdraw(
  player: Simulator,
  { owner, vault }: VaultHolding,
  shares: AmountOrAll,
): TransactionRecord {
  const build = player.build(vaultWithdrawBuilder, { wallet: owner.address, vault, shares });
  return player.act({ ...build, signers: [owner] });
}

export function claimVaultRewards(
  player: Simulator,
  { owner, vault }: VaultHolding,
): TransactionRecord {
  const build = player.build(claimBuilder, { wallet: owner.address, vault });
  return player.act({ ...build, signers: [owner] });
}

/** Shares are tokens: they change hands like any other. */
export function transferShares(
  player: Simulator,
  { owner, vault }: VaultHolding,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
): TransactionRecord | undefined {
  const fields = findVault(player, vault);
  if (fields === undefined) return undefined;
  const token = {
    mint: fields.sharesMint,
    decimals: Number(fields.sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
  };
  const instructions = transferTokensTo(token, { from: owner.address, to, amount });
  return player.act({ instructions, signers: [owner] });
}

/** Stakes are counted in so many parts of a share. */
const WAD = 10n ** 18n;

/** Some thousandths of what is staked, in whole shares, back into the wallet; nothing where nothing is staked. */
export function unstakeShares(
  player: Simulator,
  { owner, vault }: VaultHolding,
  permille: bigint,
): TransactionRecord | undefined {
  const fields = findVault(player, vault);
  const farm = fields && nonZeroAddress(fields.vaultFarm);
  if (fields === undefined || farm === undefined) return undefined;
  const userState = userStateAddress(farm, owner.address);
  const stake = player.bank.account(userState);
  if (stake === undefined) return undefined;
  const { activeStakeScaled } = decodeCached(userStateLayout, stake);
  const shares = (activeStakeScaled * permille) / (1_000n * WAD);
  const stakeSharesScaled = shares * WAD;
  if (stakeSharesScaled === 0n) return undefined;
  const { farmVault, farmVaultsAuthority } = decodeCached(farmStateLayout, player.accountOf(farm));
  const token = { mint: fields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  const accounts = { owner: owner.address, userState, farmState: farm };
  const instructions = [
    openTokenAccount(token, owner.address),
    unstake.build(FARMS_PROGRAM, {
      accounts: { ...accounts, scopePrices: undefined },
      args: { stakeSharesScaled },
    }),
    withdrawUnstakedDeposits.build(FARMS_PROGRAM, {
      accounts: {
        ...{ ...accounts, farmVault, farmVaultsAuthority, tokenProgram: TOKEN_PROGRAM },
        userAta: associatedTokenAddress(owner.address, token.mint, TOKEN_PROGRAM),
      },
      args: {},
    }),
  ];
  return player.act({ instructions, signers: [owner] });
}

export function findVault(player: Simulator, vault: Address): VaultState | undefined {
  const account = player.bank.account(vault);
  return account && decodeCached(vaultState, account);
}
