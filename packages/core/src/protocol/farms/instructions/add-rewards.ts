import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/** Adds tokens to a reward of the farm. Anyone may call it. `tokenProgram` is that of the reward token. */
export const addRewards = instruction({
  name: 'addRewards',
  discriminator: '58ba19e326895117',
  accounts: {
    payer: signWrite,
    farmState: write,
    rewardMint: read,
    rewardVault: write,
    farmVaultsAuthority: read,
    payerRewardTokenAta: write,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { amount: u64, rewardIndex: u64 },
});
