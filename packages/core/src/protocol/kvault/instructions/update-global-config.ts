import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, sign, untilEnd, write } from '../../../base/solana/instruction.ts';

/** The settings of the global config. The index is the value of `mode`. */
export const globalConfigModes = [
  'PendingAdmin',
  'MinWithdrawalPenaltyLamports',
  'MinWithdrawalPenaltyBPS',
] as const;

/** The list is the value: an address for the pending admin, otherwise 64 bits. */
export const updateGlobalConfig = instruction({
  name: 'updateGlobalConfig',
  discriminator: 'a45482bd6f3afac8',
  accounts: {
    globalAdmin: sign,
    globalConfig: write,
  },
  args: { mode: u8 },
  list: { count: untilEnd, item: u8 },
});
