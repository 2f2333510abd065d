import { type Address, toLamports } from '@tidegate/core/base';
import { rentExempt, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { allocate, assign, systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import type { Call } from '../../runtime/program.ts';

export type Funding = {
  readonly payer: Address;
  readonly account: Address;
  readonly size: number;
};

/** Sends an account what it lacks to live for good at that size, if anything. */
export function topUp(call: Call, { payer, account, size }: Funding): void {
  const missing = rentExempt(size) - call.account(account).lamports;
  if (missing <= 0n) return;
  const lamports = toLamports(missing);
  const accounts = { from: payer, to: account };
  call.invoke(systemTransfer.build(SYSTEM_PROGRAM, { accounts, args: { lamports } }));
}

/** Makes an account of `owner` where lamports may lie already; the program that calls signs for its address. */
export function openFunded(call: Call, funding: Funding & { readonly owner: Address }): void {
  const { account, size, owner } = funding;
  topUp(call, funding);
  const space = { accounts: { account }, args: { space: BigInt(size) } };
  call.invoke(allocate.build(SYSTEM_PROGRAM, space), [account]);
  call.invoke(assign.build(SYSTEM_PROGRAM, { accounts: { account }, args: { owner } }), [account]);
}
