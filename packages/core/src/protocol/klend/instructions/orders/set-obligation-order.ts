import { u8 } from '../../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../../base/solana/instruction.ts';
import { obligationOrderFields } from '../../layout/orders.ts';

/**
 * Sets an order that lets anyone repay debt of the loan for its collateral while a condition holds, such as a stop loss. An
 * order of zeros removes it.
 */
export const setObligationOrder = instruction({
  name: 'setObligationOrder',
  discriminator: '5101639cd3534e2e',
  accounts: {
    owner: sign,
    obligation: write,
    lendingMarket: read,
  },
  args: { index: u8, ...obligationOrderFields },
});
