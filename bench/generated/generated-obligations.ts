import type { RawAccount } from '#core/base/solana/account.ts';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { u32, u64, u128 } from '#core/base/encoding/layout.ts';
import {
  obligation,
  obligationCollateral,
  obligationLiquidity,
} from '#core/protocol/klend/layout/obligation.ts';

/** Amounts become 1 to 1,999 thousandths of what they were. */
const THOUSANDTHS = 1999;
const ONE = 1000n;

/**
 * As many obligations as asked for, the same for every caller, in one block of memory. Each is one of
 * `originals` with another owner and other amounts. What the program keeps of older prices is left as it is.
 */
export function generateObligations(originals: readonly RawAccount[], count: number): RawAccount[] {
  const block = new Uint8Array(count * obligation.size);
  return Array.from({ length: count }, (_, index) => {
    const original = originals[index % originals.length];
    if (original === undefined) throw new Error('no obligations to start from');
    const data = block.subarray(index * obligation.size, (index + 1) * obligation.size);
    data.set(original.data);
    vary({ owner: original.owner, data }, index);
    return { owner: original.owner, data };
  });
}

function vary(account: RawAccount, index: number): void {
  const { deposits, borrows } = obligation.view(account);
  const { offsets } = obligation;
  const target = new DataView(account.data.buffer, account.data.byteOffset, account.data.length);
  u32.encode(target, offsets.owner, Math.imul(index, 0x9e3779b1) >>> 0);
  for (let i = 0; i < deposits.length; i++) {
    const { depositReserve = ZERO_ADDRESS, depositedAmount = 0n } = deposits.at(i) ?? {};
    if (depositReserve === ZERO_ADDRESS) continue;
    const at = offsets.deposits + i * obligationCollateral.size;
    const { depositedAmount: inside } = obligationCollateral.offsets;
    u64.encode(target, at + inside, part(depositedAmount, index * 7 + i));
  }
  for (let i = 0; i < borrows.length; i++) {
    const { borrowReserve = ZERO_ADDRESS, borrowedAmountSf = 0n } = borrows.at(i) ?? {};
    if (borrowReserve === ZERO_ADDRESS) continue;
    const at = offsets.borrows + i * obligationLiquidity.size;
    const { borrowedAmountSf: inside } = obligationLiquidity.offsets;
    u128.encode(target, at + inside, part(borrowedAmountSf, index * 11 + i));
  }
}

/** Never zero: an empty position would not be one. */
function part(amount: bigint, seed: number): bigint {
  const thousandths = BigInt(1 + ((seed * 7919) % THOUSANDTHS));
  return (amount * thousandths) / ONE + 1n;
}
