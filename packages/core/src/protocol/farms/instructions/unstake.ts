import { u128 } from '../../../base/encoding/layout.ts';
import { instruction, optionalRead, signWrite, write } from '../../../base/solana/instruction.ts';

/** `stakeSharesScaled` is stake shares times 10^18, capped at the active stake. U64_MAX times 10^18 unstakes all. */
export const unstake = instruction({
  name: 'unstake',
  discriminator: '5a5f6b2acd7c32e1',
  accounts: {
    owner: signWrite,
    userState: write,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: { stakeSharesScaled: u128 },
});
