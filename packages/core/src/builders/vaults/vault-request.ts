import type { Address } from '../../base/encoding/address.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { AmountOrAll, ComputeBudget } from '../build.ts';
import { parseAmount, parseAmountOrMax } from '../parse-amount.ts';
import { requireVault } from './vault-action-context.ts';

export type VaultDepositRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly vault: Address;
  /** In the vault's token. */
  readonly amount: bigint;
  /** Default: true if the vault has a farm for its shares. */
  readonly stake?: boolean | undefined;
};

export type VaultWithdrawRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly vault: Address;
  readonly shares: AmountOrAll;
};

/** Raw fields; `amount` is in whole tokens or shares. */
export type VaultRequestFields = {
  readonly wallet: Address;
  readonly kvault: Address;
  readonly amount: string;
};

export function parseVaultDepositRequest(
  { wallet, kvault, amount }: VaultRequestFields,
  state: ClusterReader,
): VaultDepositRequest {
  const { tokenMintDecimals } = requireVault(kvault, state).fields;
  return { wallet, vault: kvault, amount: parseAmount(amount, Number(tokenMintDecimals)) };
}

export function parseVaultWithdrawRequest(
  { wallet, kvault, amount }: VaultRequestFields,
  state: ClusterReader,
): VaultWithdrawRequest {
  const { sharesMintDecimals } = requireVault(kvault, state).fields;
  return { wallet, vault: kvault, shares: parseAmountOrMax(amount, Number(sharesMintDecimals)) };
}
