import { type Address, toLamports } from '@tidegate/core/base';
import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { allocate, assign, systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';

export type Funding = {
  readonly payer: Address;
  readonly account: Address;
  readonly size: number;
};

/** Transfers the lamports that the account lacks for rent exemption. */
export function topUpRent(call: InvokeContext, { payer, account, size }: Funding): void {
  const missing = rentExemptLamports(size) - call.account(account).lamports;
  if (missing <= 0n) return;
  const lamports = toLamports(missing);
  const accounts = { from: payer, to: account };
  call.invoke(systemTransfer.build(SYSTEM_PROGRAM, { accounts, args: { lamports } }));
}

/**
 * Creates an account of `owner`, which may already hold lamports. The calling program signs for the
 * address.
 */
export function createFundedAccount(
  call: InvokeContext,
  funding: Funding & { readonly owner: Address },
): void {
  const { account, size, owner } = funding;
  topUpRent(call, funding);
  const space = { accounts: { account }, args: { space: BigInt(size) } };
  call.invoke(allocate.build(SYSTEM_PROGRAM, space), [account]);
  call.invoke(assign.build(SYSTEM_PROGRAM, { accounts: { account }, args: { owner } }), [account]);
}
