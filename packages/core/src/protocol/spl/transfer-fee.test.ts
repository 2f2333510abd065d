import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { transferFeeAt, transferFeeOf } from './token-extensions.ts';

const fee = (epoch: bigint, transferFeeBasisPoints: number, maximumFee = U64_MAX) => ({
  epoch,
  transferFeeBasisPoints,
  maximumFee: toLamports(maximumFee),
});

const config = {
  transferFeeConfigAuthority: ZERO_ADDRESS,
  withdrawWithheldAuthority: ZERO_ADDRESS,
  withheldAmount: toLamports(0n),
  olderTransferFee: fee(10n, 100),
  newerTransferFee: fee(20n, 50),
};

test('the newer fee applies from its epoch', () => {
  expect(transferFeeAt(config, 19n).transferFeeBasisPoints).toBe(100);
  expect(transferFeeAt(config, 20n).transferFeeBasisPoints).toBe(50);
});

test.each([
  { amount: 0n, bps: 100, max: U64_MAX, withheld: 0n },
  { amount: 1n, bps: 1, max: U64_MAX, withheld: 1n },
  { amount: 10_000n, bps: 1, max: U64_MAX, withheld: 1n },
  { amount: 10_001n, bps: 1, max: U64_MAX, withheld: 2n },
  { amount: 10_001n, bps: 0, max: U64_MAX, withheld: 0n },
  { amount: 1_000_000n, bps: 100, max: 9_999n, withheld: 9_999n },
  { amount: 1_000_000n, bps: 100, max: 10_000n, withheld: 10_000n },
  { amount: 1_000_000n, bps: 100, max: 10_001n, withheld: 10_000n },
  { amount: U64_MAX, bps: 10_000, max: U64_MAX, withheld: U64_MAX },
])(
  'withholds $withheld of $amount at $bps basis points with a maximum of $max',
  ({ amount, bps, max, withheld }) => {
    expect(transferFeeOf(fee(0n, bps, max), toLamports(amount))).toBe(withheld);
  },
);
