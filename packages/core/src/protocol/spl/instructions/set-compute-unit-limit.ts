import { u32 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';

export const setComputeUnitLimit = instruction({
  name: 'setComputeUnitLimit',
  discriminator: '02',
  accounts: {},
  args: { units: u32 },
});
