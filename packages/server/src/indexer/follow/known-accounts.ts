import {
  type Address,
  addressFromBytes,
  type ClusterAccount,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { KLEND_PROGRAMS, withdrawTicketAddress } from '@tidegate/core/protocol/klend';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import { addressLookupTable } from '@tidegate/core/protocol/spl/layout';
import type { ClusterState, ProgramAccountKind } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';

/** Addresses that are known without reading the cluster. */
export type KnownAddresses = {
  readonly markets: readonly KnownMarket[];
  readonly vaults: readonly Address[];
};

type KnownMarket = {
  readonly address: Address;
  readonly programId: Address;
  readonly lookupTable: Address;
};

type KnownAccountsOptions = {
  readonly source: ChainSource;
  /** Contains the kinds that are read before: markets, reserves, vaults, then farms. */
  readonly state: ClusterState;
  readonly known: KnownAddresses;
};

type FoundReserve = {
  readonly address: Address;
  readonly program: Address;
  readonly market: Address;
};

const ADDRESS_BYTES = 32;
/** Of one reserve; a longer queue is followed only where the source scans programs. */
const MAX_QUEUED_TICKETS = 200n;
/** Enough to recognize a reserve and its market. */
const RESERVE_PREFIX_BYTES = reserve.offsets.lendingMarket + ADDRESS_BYTES;

/**
 * Finds accounts without scanning programs: from the configured addresses, from the lookup tables of the markets, from
 * the allocations of the vaults, and from the accounts that name them. Some may not exist or belong to another program.
 */
export class KnownAccounts {
  readonly #options: KnownAccountsOptions;
  #reserves: Promise<readonly FoundReserve[]> | undefined;

  constructor(options: KnownAccountsOptions) {
    this.#options = options;
  }

  async find(kind: ProgramAccountKind, program: Address): Promise<ReadonlySet<Address>> {
    const found = new Set(await this.#addressesOf(kind, program));
    found.delete(ZERO_ADDRESS);
    return found;
  }

  async #addressesOf(kind: ProgramAccountKind, program: Address): Promise<readonly Address[]> {
    const { state, known } = this.#options;
    switch (kind) {
      case 'market': {
        const listed = known.markets.filter(({ programId }) => programId === program);
        const reserves = await this.#reservesOf(program);
        return [...listed.map(({ address }) => address), ...reserves.map(({ market }) => market)];
      }
      case 'reserve':
        return (await this.#reservesOf(program)).map(({ address }) => address);
      case 'vault':
        return known.vaults;
      case 'farm':
        return farmsOf(state);
      case 'farmsConfig':
        return farmsOf(state).map((farm) => state.farm(farm)?.fields.globalConfig ?? ZERO_ADDRESS);
      case 'prices':
        return allReserves(state).map(
          ({ fields }) => fields.config.tokenInfo.scopeConfiguration.priceFeed,
        );
      case 'withdrawTicket':
        return allReserves(state)
          .filter((each) => each.program === program)
          .flatMap(queuedTickets);
      case 'farmUser':
      case 'obligation':
        return [];
    }
  }

  async #reservesOf(program: Address): Promise<FoundReserve[]> {
    this.#reserves ??= this.#findReserves();
    return (await this.#reserves).filter((found) => found.program === program);
  }

  /** All reserves that the lookup tables of markets and the allocations of vaults name. */
  async #findReserves(): Promise<readonly FoundReserve[]> {
    const { source } = this.#options;
    const named = new Set([...(await this.#readTables()), ...(await this.#readAllocations())]);
    named.delete(ZERO_ADDRESS);
    const candidates = [...named];
    const { accounts } = await source.getAccounts(candidates, undefined, RESERVE_PREFIX_BYTES);
    return candidates.flatMap((address, i) => {
      const account = accounts[i];
      if (account === undefined || !isReserve(account)) return [];
      return [{ address, program: account.owner, market: marketOf(account.data) }];
    });
  }

  async #readTables(): Promise<Address[]> {
    const { source, known } = this.#options;
    const tables = known.markets
      .map(({ lookupTable }) => lookupTable)
      .filter((table) => table !== ZERO_ADDRESS);
    const { accounts } = await source.getAccounts(tables);
    return accounts.flatMap((account) =>
      account === undefined || !addressLookupTable.matches(account)
        ? []
        : [...addressLookupTable.decode(account).addresses],
    );
  }

  async #readAllocations(): Promise<Address[]> {
    const { source, known } = this.#options;
    const { accounts } = await source.getAccounts(known.vaults);
    return accounts.flatMap((account) =>
      account === undefined || !vaultState.matches(account)
        ? []
        : [...vaultState.view(account).vaultAllocationStrategy].map((each) => each.reserve),
    );
  }
}

const isReserve = ({ owner, data }: ClusterAccount): boolean =>
  KLEND_PROGRAMS.includes(owner) &&
  data.length >= RESERVE_PREFIX_BYTES &&
  reserve.discriminator.every((byte, i) => byte === data[i]);

const marketOf = (data: Uint8Array): Address =>
  addressFromBytes(data.subarray(reserve.offsets.lendingMarket, RESERVE_PREFIX_BYTES));

const allReserves = (state: ClusterState) =>
  state.markets().flatMap(({ address }) => state.reservesOf(address));

/** The addresses of the tickets that wait in a reserve's queue, first in line first. */
function queuedTickets({
  address,
  program,
  fields,
}: ReturnType<typeof allReserves>[number]): Address[] {
  const { nextWithdrawableTicketSequenceNumber: first, nextIssuedTicketSequenceNumber: end } =
    fields.withdrawQueue;
  const count = end > first ? end - first : 0n;
  const length = Number(count < MAX_QUEUED_TICKETS ? count : MAX_QUEUED_TICKETS);
  return Array.from({ length }, (_, i) =>
    withdrawTicketAddress(address, first + BigInt(i), program),
  );
}

function farmsOf(state: ClusterState): Address[] {
  return [
    ...allReserves(state).flatMap(({ fields }) => [fields.farmCollateral, fields.farmDebt]),
    ...state.vaults().map(({ fields }) => fields.vaultFarm),
  ];
}
