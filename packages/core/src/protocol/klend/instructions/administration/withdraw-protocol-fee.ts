import { lamports } from '../../../../base/encoding/branded-fields.ts';
import { instruction, read, write } from '../../../../base/solana/instruction.ts';

/** Moves tokens from a reserve's fee vault to the fee collector of the global config. Anyone can call it. */
export const withdrawProtocolFee = instruction({
  name: 'withdrawProtocolFee',
  discriminator: '9ec99ebd215da267',
  accounts: {
    globalConfig: read,
    lendingMarket: read,
    reserve: read,
    reserveLiquidityMint: read,
    lendingMarketAuthority: read,
    feeVault: write,
    feeCollectorAta: write,
    tokenProgram: read,
    instructionSysvarAccount: read,
  },
  args: { amount: lamports },
});
