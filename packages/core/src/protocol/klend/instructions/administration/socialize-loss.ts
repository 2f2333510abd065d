import { lamports } from '../../../../base/encoding/branded-fields.ts';
import {
  instruction,
  optionalWrite,
  read,
  sign,
  write,
} from '../../../../base/solana/instruction.ts';

export const socializeLossAccounts = {
  lendingMarketOwner: sign,
  obligation: write,
  lendingMarket: read,
  reserve: write,
  instructionSysvarAccount: read,
};

/** Forgives debt of an obligation without deposits at the expense of the reserve's lenders. */
export const socializeLoss = instruction({
  name: 'socializeLoss',
  discriminator: 'f54b5b00ec611303',
  accounts: socializeLossAccounts,
  args: { liquidityAmount: lamports },
});

export const socializeLossV2 = instruction({
  name: 'socializeLossV2',
  discriminator: 'ee5f62dcbb28cc9a',
  accounts: {
    ...socializeLossAccounts,
    obligationFarmUserState: optionalWrite,
    reserveFarmState: optionalWrite,
    lendingMarketAuthority: read,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});
