import type { Decoded } from '../../base/encoding/layout.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { transferFeeConfig } from './layout/extension-layouts.ts';

type TransferFeeConfig = Decoded<typeof transferFeeConfig>;
type TransferFee = TransferFeeConfig['newerTransferFee'];

/** A whole, in basis points. */
const ONE_BPS = 10_000n;

/** The newer fee holds from its epoch on, the older one before. */
export function transferFeeAt(config: TransferFeeConfig, epoch: bigint): TransferFee {
  return epoch >= config.newerTransferFee.epoch ? config.newerTransferFee : config.olderTransferFee;
}

/** What is kept back of `amount` sent: rounded up, at most the maximum. The receiver gets the rest. */
export function transferFeeOf(fee: TransferFee, amount: Lamports): Lamports {
  const exact = amount * BigInt(fee.transferFeeBasisPoints);
  const rounded = (exact + ONE_BPS - 1n) / ONE_BPS;
  return toLamports(rounded < fee.maximumFee ? rounded : fee.maximumFee);
}
