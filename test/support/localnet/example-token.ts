import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { GoldenAccount } from '../golden/golden.ts';

type ExampleToken = {
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
};

/** A wallet's token account. For wrapped SOL, the lamports include the tokens. */
export function exampleTokenAccount({
  mint,
  owner,
  tokenProgram,
  amount,
}: ExampleToken): GoldenAccount {
  const isNative = mint === WRAPPED_SOL_MINT;
  const data = tokenAccount.encode({
    mint,
    owner,
    amount: toLamports(amount),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: 1,
    isNativeTag: isNative ? 1 : 0,
    isNative: toLamports(isNative ? 2_039_280n : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  return {
    owner: tokenProgram,
    lamports: exampleRentLamports(data) + (isNative ? amount : 0n),
    data,
  };
}

export const exampleRentLamports = (data: Uint8Array): bigint => BigInt(data.length + 128) * 6960n;
