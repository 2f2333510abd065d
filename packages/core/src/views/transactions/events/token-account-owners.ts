import { ADDRESS_BYTES, type Address, addressFromBytes } from '../../../base/encoding/address.ts';
import { tryDecodeCall } from '../../../protocol/spl/instruction-events.ts';
import { ACCOUNT_OWNER, setAuthority } from '../../../protocol/spl/instructions/token-account.ts';
import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';

type InitializedAccount = {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
};

/** The discriminators of the three InitializeAccount instructions. */
const OWNER_AMONG_ACCOUNTS = 1;
const OWNER_IN_DATA: readonly (number | undefined)[] = [16, 18];

/** The token account that a token program call initializes, if any. */
export function findInitializedAccount({ accounts, data }: Call): InitializedAccount | undefined {
  const [account, mint, third] = accounts;
  if (account === undefined || mint === undefined) return undefined;
  if (data[0] === OWNER_AMONG_ACCOUNTS && third !== undefined) {
    return { account, mint, owner: third };
  }
  const owner = data.subarray(1, 1 + ADDRESS_BYTES);
  if (!OWNER_IN_DATA.includes(data[0]) || owner.length < ADDRESS_BYTES) return undefined;
  return { account, mint, owner: addressFromBytes(owner) };
}

/** The new owner of a token account, if a token program call changes it. */
export function findOwnerChange(
  call: Call,
): { readonly account: Address; readonly owner: Address } | undefined {
  const found = tryDecodeCall(setAuthority, call);
  const [owner] = found?.list ?? [];
  if (found?.args.authorityType !== ACCOUNT_OWNER || owner === undefined) return undefined;
  return { account: found.accounts.account, owner };
}
