import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** Initializes an account with the right size and rent as a token account. */
export const initializeAccount3 = instruction({
  name: 'initializeAccount3',
  discriminator: '12',
  accounts: {
    account: write,
    mint: read,
  },
  args: { owner: pubkey },
});

/** Precedes the initialization of an account. The Token program accepts it as a no-op. */
export const initializeImmutableOwner = instruction({
  name: 'initializeImmutableOwner',
  discriminator: '16',
  accounts: {
    account: write,
  },
  args: {},
});

/**
 * Initializes an account with the right size and rent as a mint. The list has the freeze authority or is empty.
 */
export const initializeMint2 = instruction({
  name: 'initializeMint2',
  discriminator: '14',
  accounts: {
    mint: write,
  },
  args: { decimals: u8, mintAuthority: pubkey },
  list: { count: u8, item: pubkey },
});

/**
 * Returns the size of an account of the mint. The types of additional extensions follow the first byte, two bytes each.
 */
export const getAccountDataSize = instruction({
  name: 'getAccountDataSize',
  discriminator: '15',
  accounts: {
    mint: read,
  },
  args: {},
});

/** Sends the rent to `destination`. The account must be empty unless it is wrapped SOL, whose full balance is sent. */
export const closeAccount = instruction({
  name: 'closeAccount',
  discriminator: '09',
  accounts: {
    account: write,
    destination: write,
    owner: sign,
  },
  args: {},
});

/** Updates the token amount of a wrapped SOL account to its lamports. */
export const syncNative = instruction({
  name: 'syncNative',
  discriminator: '11',
  accounts: {
    account: write,
  },
  args: {},
});

/** Authority types of a token account. Mints and extensions have other types. */
export const ACCOUNT_OWNER = 2;
export const CLOSE_ACCOUNT = 3;

/** `account` is a token account or a mint. The list has the new authority or is empty to remove it. */
export const setAuthority = instruction({
  name: 'setAuthority',
  discriminator: '06',
  accounts: {
    account: write,
    currentAuthority: sign,
  },
  args: { authorityType: u8 },
  list: { count: u8, item: pubkey },
});

export const freezeAccounts = {
  account: write,
  mint: read,
  freezeAuthority: sign,
};

/** The account cannot be used until it is thawed. */
export const freezeAccount = instruction({
  name: 'freezeAccount',
  discriminator: '0a',
  accounts: freezeAccounts,
  args: {},
});

export const thawAccount = instruction({
  name: 'thawAccount',
  discriminator: '0b',
  accounts: freezeAccounts,
  args: {},
});
