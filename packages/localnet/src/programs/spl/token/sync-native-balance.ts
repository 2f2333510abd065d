import { type Address, toLamports } from '@tidegate/core/base';
import { rentExempt } from '@tidegate/core/protocol/spl';
import type { Call } from '../../../runtime/program.ts';
import { refused } from './token-errors.ts';
import { isNative, readToken, requireOwn, writeToken } from './token-state.ts';

/** Lamports above the rent become tokens. */
export function syncNativeBalance(call: Call, address: Address): void {
  requireOwn(call, address);
  const account = readToken(call, address);
  if (!isNative(account)) throw refused('NonNativeNotSupported');
  const { lamports, data } = call.account(address);
  const rent = rentExempt(data.length);
  writeToken(call, address, {
    ...account,
    isNative: toLamports(rent),
    amount: toLamports(lamports - rent),
  });
}
