import type { Decoded } from '../../base/encoding/layout.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { transferFeeConfig } from './layout/extension-layouts.ts';

type TransferFeeConfig = Decoded<typeof transferFeeConfig>;
type TransferFee = TransferFeeConfig['newerTransferFee'];

/** 100 % in basis points. */
const ONE_BPS = 10_000n;

/** The newer fee applies from its epoch, the older fee before. */
export function transferFeeAt(config: TransferFeeConfig, epoch: bigint): TransferFee {
  return epoch >= config.newerTransferFee.epoch ? config.newerTransferFee : config.olderTransferFee;
}

/** The fee on a transfer of `amount`, rounded up, at most the maximum. The receiver gets the rest. */
export function transferFeeOf(fee: TransferFee, amount: Lamports): Lamports {
  const exact = amount * BigInt(fee.transferFeeBasisPoints);
  const rounded = (exact + ONE_BPS - 1n) / ONE_BPS;
  return toLamports(rounded < fee.maximumFee ? rounded : fee.maximumFee);
}
