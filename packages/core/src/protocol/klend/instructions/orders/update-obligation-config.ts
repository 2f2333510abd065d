import { u8, u32 } from '../../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  write,
} from '../../../../base/solana/instruction.ts';

/** The settings of a debt. The index is the value of `mode`. */
export const obligationConfigModes = [
  'FixedTermRolloverEnabled',
  'FixedTermRolloverMaxBorrowRateBps',
  'FixedTermRolloverMinDebtTermSeconds',
  'FixedTermRolloverOpenTermAllowed',
  'MigrationToFixedEnabled',
  'FixedTermRolloverWindowDurationDays',
] as const;

export type ObligationConfigMode = (typeof obligationConfigModes)[number];

/** Changes a setting of the debt in `borrowReserve`. The list is the encoded value. */
export const updateObligationConfig = instruction({
  name: 'updateObligationConfig',
  discriminator: '5298d545fa009dbc',
  accounts: {
    owner: sign,
    obligation: write,
    borrowReserve: optionalRead,
    depositReserve: optionalRead,
    lendingMarket: read,
  },
  args: { mode: u8 },
  list: { count: u32, item: u8 },
});
