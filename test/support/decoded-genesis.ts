import type { Account } from '../../src/base/account.ts';
import type { Address } from '../../src/base/address.ts';
import type { Decoded, Shape, Struct } from '../../src/base/layout.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '../../src/base/time.ts';
import { createGenesis, type Genesis } from '../../src/localnet/genesis/genesis.ts';
import { farms, klend, kvault, spl } from '../../src/protocol/index.ts';

export const GENESIS_AT: ChainTime = {
  slot: toSlot(380_000_000n),
  unix: toUnixSeconds(1_790_000_000n),
};

/** The first accounts of localnet, read back from their bytes by kind. */
export function decodedGenesis(seed: string) {
  return decodeGenesis(createGenesis({ seed, at: GENESIS_AT }));
}

function decodeGenesis({ accounts, facts }: Genesis) {
  const every = <S extends Shape>(kind: Account<S>): Map<Address, Decoded<Struct<S>>> =>
    new Map(
      [...accounts]
        .filter(([, account]) => kind.matches(account))
        .map(([address, account]) => [address, kind.decode(account)]),
    );
  const tokens = [...accounts].filter(([, account]) => spl.accounts.tokenAccount.matches(account));
  const mints = [...accounts].filter(([, account]) => spl.accounts.mint.matches(account));
  return {
    accounts,
    facts,
    markets: every(klend.accounts.lendingMarket),
    reserves: every(klend.accounts.reserve),
    obligations: every(klend.accounts.obligation),
    userMetadatas: every(klend.accounts.userMetadata),
    vaults: every(kvault.accounts.vaultState),
    whitelist: every(kvault.accounts.reserveWhitelistEntry),
    farms: every(farms.accounts.farmState),
    farmUsers: every(farms.accounts.userState),
    tokenAccounts: new Map(
      tokens.map(([address, account]) => [address, spl.accounts.tokenAccount.decode(account)]),
    ),
    mints: new Map(mints.map(([address, account]) => [address, spl.accounts.mint.decode(account)])),
  };
}
