import type { Address } from '@tidegate/core/base';
import { baseVaultAuthority } from '@tidegate/core/protocol/kvault';
import { burn, mintTo, transferChecked } from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';

export type VaultTransfer = {
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly mint: Address;
  readonly destination: Address;
  readonly authority: Address;
  readonly amount: bigint;
  readonly decimals: number;
};

/** From an account whose owner has signed. */
export function transferFromUser(
  call: InvokeContext,
  { tokenProgram, amount, decimals, ...accounts }: VaultTransfer,
) {
  call.invoke(transferChecked.build(tokenProgram, { accounts, args: { amount, decimals } }));
}

/** From an account of the vault. Skips a zero amount. */
export function transferFromVault(
  call: InvokeContext,
  vault: Address,
  { tokenProgram, amount, decimals, ...accounts }: VaultTransfer,
): void {
  call.log(`Sending back to user ${amount}`);
  if (amount === 0n) return;
  const instruction = transferChecked.build(tokenProgram, { accounts, args: { amount, decimals } });
  call.invoke(instruction, [baseVaultAuthority(vault, call.program)]);
}

type ShareAccounts = {
  readonly vaultState: Address;
  readonly baseVaultAuthority: Address;
  readonly sharesMint: Address;
  readonly sharesTokenProgram: Address;
  readonly user: Address;
};

export function mintShares(
  call: InvokeContext,
  accounts: ShareAccounts,
  { account, amount }: { readonly account: Address; readonly amount: bigint },
): void {
  const { vaultState, sharesMint: mint, baseVaultAuthority: mintAuthority } = accounts;
  const minted = { accounts: { mint, account, mintAuthority }, args: { amount } };
  const signer = baseVaultAuthority(vaultState, call.program);
  call.invoke(mintTo.build(accounts.sharesTokenProgram, minted), [signer]);
}

export function burnShares(
  call: InvokeContext,
  accounts: Omit<ShareAccounts, 'vaultState' | 'baseVaultAuthority'>,
  { account, amount }: { readonly account: Address; readonly amount: bigint },
): void {
  const { sharesMint: mint, user: authority } = accounts;
  const burned = { accounts: { account, mint, authority }, args: { amount } };
  call.invoke(burn.build(accounts.sharesTokenProgram, burned));
}
