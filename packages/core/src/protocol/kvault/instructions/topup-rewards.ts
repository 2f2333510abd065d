import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Adds tokens that the vault pays out to its shareholders at `rewardPerSecond`. Anybody can call it. */
export const topupRewards = instruction({
  name: 'topupRewards',
  discriminator: '7f9331893a896738',
  accounts: {
    payer: sign,
    vaultState: write,
    tokenMint: read,
    tokenVault: write,
    payerTokenTa: write,
    tokenProgram: read,
  },
  args: { amount: lamports },
});
