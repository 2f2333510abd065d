import type { Address } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import type { AccountCodec } from '#core/base/solana/account.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { farms, klend, kvault, spl } from '#core/protocol/index.ts';
import { NEWEST_RULES } from '#core/protocol/releases/index.ts';
import { createGenesis, type Genesis } from '#localnet/genesis/genesis.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { type SimulatedCluster, simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../fakes/silent-log.ts';

/** End of the simulated period. */
export const SIMULATION_END: ChainTime = {
  slot: toSlot(380_000_000n),
  unix: toUnixSeconds(1_790_000_000n),
};

/** Enough for all scheduled actions. */
const SIMULATED_DAYS = 2;

/** The genesis accounts, decoded by type. */
export function decodedGenesis(seed: string) {
  return decodeGenesis(
    createGenesis({ seed, until: SIMULATION_END, days: SIMULATED_DAYS }, () => NEWEST_RULES),
  );
}

const simulations = new Map<string, SimulatedCluster>();

/** The accounts after some days of simulated activity. Simulated once per seed. */
export function simulatedGenesis(seed: string): Pick<Genesis, 'accounts' | 'metadata'> {
  const { cluster, metadata } = simulations.get(seed) ?? simulateDays(seed, SIMULATED_DAYS);
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
  if (days === SIMULATED_DAYS) simulations.set(seed, cluster);
  return cluster;
}

export function decodeGenesis({ accounts, metadata }: Pick<Genesis, 'accounts' | 'metadata'>) {
  const decodeAll = <S extends Shape>(codec: AccountCodec<S>): Map<Address, Decoded<Struct<S>>> =>
    new Map(
      [...accounts]
        .filter(([, account]) => codec.matches(account))
        .map(([address, account]) => [address, codec.decode(account)]),
    );
  const tokens = [...accounts].filter(([, account]) => spl.accounts.tokenAccount.matches(account));
  const mints = [...accounts].filter(([, account]) => spl.accounts.mint.matches(account));
  return {
    accounts,
    metadata,
    markets: decodeAll(klend.accounts.lendingMarket),
    reserves: decodeAll(klend.accounts.reserve),
    obligations: decodeAll(klend.accounts.obligation),
    userMetadatas: decodeAll(klend.accounts.userMetadata),
    vaults: decodeAll(kvault.accounts.vaultState),
    whitelist: decodeAll(kvault.accounts.reserveWhitelistEntry),
    farms: decodeAll(farms.accounts.farmState),
    farmUsers: decodeAll(farms.accounts.userState),
    tokenAccounts: new Map(
      tokens.map(([address, account]) => [address, spl.accounts.tokenAccount.decode(account)]),
    ),
    mints: new Map(mints.map(([address, account]) => [address, spl.accounts.mint.decode(account)])),
  };
}
