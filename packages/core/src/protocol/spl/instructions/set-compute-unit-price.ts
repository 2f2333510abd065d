import { u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';

/** `microLamports` for one unit: a fee of f lamports for n units is floor(f * 10^6 / n). */
export const setComputeUnitPrice = instruction({
  name: 'setComputeUnitPrice',
  discriminator: '03',
  accounts: {},
  args: { microLamports: u64 },
});
