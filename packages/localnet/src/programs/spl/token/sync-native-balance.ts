import { type Address, toLamports } from '@tidegate/core/base';
import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../../runtime/program.ts';
import { tokenRejection } from './token-errors.ts';
import {
  isNative,
  readTokenAccount,
  requireProgramOwned,
  writeTokenAccount,
} from './token-state.ts';

/** Sets the amount to the lamports above the rent. */
export function syncNativeBalance(call: InvokeContext, address: Address): void {
  requireProgramOwned(call, address);
  const account = readTokenAccount(call, address);
  if (!isNative(account)) throw tokenRejection('NonNativeNotSupported');
  const { lamports, data } = call.account(address);
  const rent = rentExemptLamports(data.length);
  writeTokenAccount(call, address, {
    ...account,
    isNative: toLamports(rent),
    amount: toLamports(lamports - rent),
  });
}
