import { type Address, toLamports } from '@tidegate/core/base';
import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  allocate,
  assign,
  createAccount,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import type { InvokeContext } from '../../runtime/program.ts';

export type NewPdaAccount = {
  /** Derived from the called program. */
  readonly address: Address;
  readonly payer: Address;
  /** In bytes. */
  readonly size: number;
  /** The called program unless given. */
  readonly owner?: Address;
};

/**
 * Creates a zeroed account, as Anchor's `init` does. An address that already
 * has lamports is topped up instead.
 */
export function createPdaAccount(
  call: InvokeContext,
  { address, payer, size, owner = call.program }: NewPdaAccount,
): void {
  const { lamports } = call.account(address);
  const rent = rentExemptLamports(size);
  const space = BigInt(size);
  if (lamports === 0n) {
    const accounts = { from: payer, to: address };
    const args = { lamports: toLamports(rent), space, owner };
    call.invoke(createAccount.build(SYSTEM_PROGRAM, { accounts, args }), [address]);
    return;
  }
  if (lamports < rent) {
    const accounts = { from: payer, to: address };
    const args = { lamports: toLamports(rent - lamports) };
    call.invoke(systemTransfer.build(SYSTEM_PROGRAM, { accounts, args }));
  }
  const accounts = { account: address };
  call.invoke(allocate.build(SYSTEM_PROGRAM, { accounts, args: { space } }), [address]);
  call.invoke(assign.build(SYSTEM_PROGRAM, { accounts, args: { owner } }), [address]);
}
