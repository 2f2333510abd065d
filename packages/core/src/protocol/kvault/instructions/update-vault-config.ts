import { u8, u32 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Changes one setting. `entry` is its index in `vaultConfigEntries`, the list is the encoded new value. Charges fees
 * first. Remaining accounts as in `deposit`.
 */
export const updateVaultConfig = instruction({
  name: 'updateVaultConfig',
  discriminator: '7a0315de9effee9d',
  accounts: {
    signer: sign,
    globalConfig: read,
    vaultState: write,
    klendProgram: read,
  },
  args: { entry: u8 },
  list: { count: u32, item: u8 },
});
