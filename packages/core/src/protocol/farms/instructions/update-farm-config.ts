import { u8, u16, u32 } from '../../../base/encoding/layout.ts';
import { instruction, optionalRead, signWrite, write } from '../../../base/solana/instruction.ts';

/** Changes one setting. `mode` is its index in `FARM_CONFIG_MODES`, the list is the encoded new value. */
export const updateFarmConfig = instruction({
  name: 'updateFarmConfig',
  discriminator: 'd6b0bcf4cb3be6cf',
  accounts: {
    signer: signWrite,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: { mode: u16 },
  list: { count: u32, item: u8 },
});
