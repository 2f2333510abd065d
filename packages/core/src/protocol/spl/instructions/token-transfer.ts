import { u8, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Amounts of token instructions are in base units. Both token programs have the same encoding. */
export const tokenTransfer = instruction({
  name: 'transfer',
  discriminator: '03',
  accounts: {
    source: write,
    destination: write,
    authority: sign,
  },
  args: { amount: u64 },
});

/** Fails if `decimals` differs from the mint. */
export const transferChecked = instruction({
  name: 'transferChecked',
  discriminator: '0c',
  accounts: {
    source: write,
    mint: read,
    destination: write,
    authority: sign,
  },
  args: { amount: u64, decimals: u8 },
});

/** Only in Token-2022. Fails if `fee` differs from the fee of the mint. The destination account withholds the fee. */
export const transferCheckedWithFee = instruction({
  name: 'transferCheckedWithFee',
  discriminator: '1a01',
  accounts: {
    source: write,
    mint: read,
    destination: write,
    authority: sign,
  },
  args: { amount: u64, decimals: u8, fee: u64 },
});

/** Allows `delegate` to transfer up to `amount` from `source` until it is revoked or replaced. */
export const approve = instruction({
  name: 'approve',
  discriminator: '04',
  accounts: {
    source: write,
    delegate: read,
    owner: sign,
  },
  args: { amount: u64 },
});

/** Fails if `decimals` differs from the mint. */
export const approveChecked = instruction({
  name: 'approveChecked',
  discriminator: '0d',
  accounts: {
    source: write,
    mint: read,
    delegate: read,
    owner: sign,
  },
  args: { amount: u64, decimals: u8 },
});

export const revoke = instruction({
  name: 'revoke',
  discriminator: '05',
  accounts: {
    source: write,
    owner: sign,
  },
  args: {},
});

export const mintToAccounts = {
  mint: write,
  account: write,
  mintAuthority: sign,
};

export const mintTo = instruction({
  name: 'mintTo',
  discriminator: '07',
  accounts: mintToAccounts,
  args: { amount: u64 },
});

/** Fails if `decimals` differs from the mint. */
export const mintToChecked = instruction({
  name: 'mintToChecked',
  discriminator: '0e',
  accounts: mintToAccounts,
  args: { amount: u64, decimals: u8 },
});

export const burnAccounts = {
  account: write,
  mint: write,
  authority: sign,
};

export const burn = instruction({
  name: 'burn',
  discriminator: '08',
  accounts: burnAccounts,
  args: { amount: u64 },
});

/** Fails if `decimals` differs from the mint. */
export const burnChecked = instruction({
  name: 'burnChecked',
  discriminator: '0f',
  accounts: burnAccounts,
  args: { amount: u64, decimals: u8 },
});
