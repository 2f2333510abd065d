import { type Address, toLamports } from '@tidegate/core/base';
import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { allocate, assign, systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';

export type Funding = {
  readonly payer: Address;
  readonly account: Address;
  readonly size: number;
};

/** Sends an account what it lacks to live for good at that size, if anything. */
export function topUpRent(call: InvokeContext, { payer, account, size }: Funding): void {
  const missing = rentExemptLamports(size) - call.account(account).lamports;
  if (missing <= 0n) return;
  const lamports = toLamports(missing);
  const accounts = { from: payer, to: account };
  call.invoke(systemTransfer.build(SYSTEM_PROGRAM, { accounts, args: { lamports } }));
}

/** Makes an account of `owner` where lamports may lie already; the program that calls signs for its address. */
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
