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
} & VaultWithdrawAmount;

/** A number of shares to redeem, or the tokens to receive at least. */
type VaultWithdrawAmount =
  | { readonly shares: AmountOrAll; readonly tokens?: undefined }
  | { readonly shares?: undefined; readonly tokens: bigint };

/** What the amount of a withdrawal counts. */
export type VaultWithdrawUnit = 'shares' | 'tokens';

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
  { wallet, kvault, amount, unit = 'shares' }: VaultRequestFields & { unit?: VaultWithdrawUnit },
  state: ClusterReader,
): VaultWithdrawRequest {
  const { sharesMintDecimals, tokenMintDecimals } = requireVault(kvault, state).fields;
  if (unit === 'tokens') {
    return { wallet, vault: kvault, tokens: parseAmount(amount, Number(tokenMintDecimals)) };
  }
  return { wallet, vault: kvault, shares: parseAmountOrMax(amount, Number(sharesMintDecimals)) };
}
