import { sf } from '../../../base/encoding/branded-fields.ts';
import { struct, u8 } from '../../../base/encoding/layout.ts';
import { instruction, read } from '../../../base/solana/instruction.ts';

/** Returns `ctokenExchangeRate`. The reserve must be refreshed in the slot. Since release 1.24. */
export const calculateCtokenExchangeRate = instruction({
  name: 'calculateCtokenExchangeRate',
  discriminator: '20fddc0d13a583bc',
  accounts: { reserve: read },
  args: {},
});

/** The return data: the lamports that 10^6 cToken lamports are worth, and the decimals of the liquidity mint. */
export const ctokenExchangeRate = struct({ exchangeRateSf: sf, mintDecimals: u8 });
