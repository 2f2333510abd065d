import { u32, u64 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';

export const setComputeUnitLimit = instruction({
  name: 'setComputeUnitLimit',
  discriminator: '02',
  accounts: {},
  args: { units: u32 },
});

/** `microLamports` per compute unit. For a fee of f lamports and n units it is floor(f * 10^6 / n). */
export const setComputeUnitPrice = instruction({
  name: 'setComputeUnitPrice',
  discriminator: '03',
  accounts: {},
  args: { microLamports: u64 },
});
