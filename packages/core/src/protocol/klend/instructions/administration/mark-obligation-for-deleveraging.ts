import { u8 } from '../../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../../base/solana/instruction.ts';

/** Starts the margin call of a loan. After it, anyone can liquidate the loan down to the LTV. 255 ends it. */
export const markObligationForDeleveraging = instruction({
  name: 'markObligationForDeleveraging',
  discriminator: 'a423b6130074f37f',
  accounts: {
    lendingMarketOwner: sign,
    obligation: write,
    lendingMarket: read,
    instructionSysvarAccount: read,
  },
  args: { autodeleverageTargetLtvPct: u8 },
});
