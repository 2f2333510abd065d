import { lamports } from '../../../base/encoding/branded-fields.ts';
import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** `space` is in bytes. `lamports` must make the new account rent-exempt. */
export const createAccount = instruction({
  name: 'createAccount',
  discriminator: '00000000',
  accounts: {
    from: signWrite,
    to: signWrite,
  },
  args: { lamports, space: u64, owner: pubkey },
});

/** Allocates `space` zero bytes for an account without data. */
export const allocate = instruction({
  name: 'allocate',
  discriminator: '08000000',
  accounts: {
    account: signWrite,
  },
  args: { space: u64 },
});

/** Assigns the account to a program, which then controls it. */
export const assign = instruction({
  name: 'assign',
  discriminator: '01000000',
  accounts: {
    account: signWrite,
  },
  args: { owner: pubkey },
});

export const systemTransfer = instruction({
  name: 'transfer',
  discriminator: '02000000',
  accounts: {
    from: signWrite,
    to: write,
  },
  args: { lamports },
});

/** The first instruction of a transaction with a durable nonce, which does not expire until the nonce is used. */
export const advanceNonceAccount = instruction({
  name: 'advanceNonceAccount',
  discriminator: '04000000',
  accounts: {
    nonceAccount: write,
    recentBlockhashesSysvar: read,
    nonceAuthority: sign,
  },
  args: {},
});
