import { u8 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  read,
  sign,
  signWrite,
  untilEnd,
  write,
} from '../../../base/solana/instruction.ts';

/** Creates the global config. Its admin is the upgrade authority in `programData`. */
export const initGlobalConfig = instruction({
  name: 'initGlobalConfig',
  discriminator: '8c88d630570078ff',
  accounts: {
    payer: signWrite,
    globalConfig: write,
    programData: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

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

/** Makes the pending admin of the global config its admin. */
export const updateGlobalConfigAdmin = instruction({
  name: 'updateGlobalConfigAdmin',
  discriminator: 'b85717c19ceeaf77',
  accounts: {
    pendingAdmin: sign,
    globalConfig: write,
  },
  args: {},
});
