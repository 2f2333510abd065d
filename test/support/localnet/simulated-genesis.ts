import type { Address } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import type { AccountCodec } from '#core/base/solana/account.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { farms, klend, kvault, spl } from '#core/protocol/index.ts';
import { createGenesis, type Genesis } from '#localnet/genesis/genesis.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { type SimulatedCluster, simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../fakes/silent-log.ts';

/** When what is played ends. */
export const SIMULATION_END: ChainTime = {
  slot: toSlot(380_000_000n),
  unix: toUnixSeconds(1_790_000_000n),
};

/** Enough for everything that is planned to have happened. */
const FEW_DAYS = 2;

/** What admins set up, read back from its bytes by kind. */
export function decodedGenesis(seed: string) {
  return decodeGenesis(createGenesis({ seed, until: SIMULATION_END, days: FEW_DAYS }));
}

const played = new Map<string, SimulatedCluster>();

/** The accounts after some days of what people do. Played once for each seed. */
export function simulatedGenesis(seed: string): Pick<Genesis, 'accounts' | 'metadata'> {
  const { cluster, metadata } = played.get(seed) ?? simulateDays(seed, FEW_DAYS);
  const accounts = Array.from(cluster.bank.accounts(), ({ address, account }) => {
    return [address, account] as const;
  });
  return { accounts: new Map(accounts), metadata };
}

export const decodedSimulation = (seed: string) => decodeGenesis(simulatedGenesis(seed));

export function simulateDays(seed: string, days: number): SimulatedCluster {
  const executor = createModelExecutor(modelPrograms());
  const cluster = simulateCluster(
    { seed, until: SIMULATION_END, days },
    { executor, log: silentLog },
  );
  if (days === FEW_DAYS) played.set(seed, cluster);
  return cluster;
}

export function decodeGenesis({ accounts, metadata }: Pick<Genesis, 'accounts' | 'metadata'>) {
  const every = <S extends Shape>(kind: AccountCodec<S>): Map<Address, Decoded<Struct<S>>> =>
    new Map(
      [...accounts]
        .filter(([, account]) => kind.matches(account))
        .map(([address, account]) => [address, kind.decode(account)]),
    );
  const tokens = [...accounts].filter(([, account]) => spl.accounts.tokenAccount.matches(account));
  const mints = [...accounts].filter(([, account]) => spl.accounts.mint.matches(account));
  return {
    accounts,
    metadata: metadata,
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
