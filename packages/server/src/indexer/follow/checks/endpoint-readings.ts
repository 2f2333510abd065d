import {
  type Address,
  bytesEqual,
  type ClusterAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import type { EndpointWitness } from '../../../chain/source/endpoint-witness.ts';

/** An account as an endpoint returned it. */
export type AccountReading = {
  readonly slot: Slot;
  readonly account: ClusterAccount | undefined;
};

/** What each endpoint returned of each account, oldest first. */
export type EndpointReadings = ReadonlyMap<EndpointWitness, ReadonlyMap<Address, AccountReading[]>>;

type ReadOptions = {
  readonly endpoints: readonly EndpointWitness[];
  readonly addresses: readonly Address[];
  readonly minSlot: Slot;
  /** Whether the account must be read again. */
  readonly isStrange: (address: Address, readings: readonly AccountReading[]) => boolean;
  /** Resolves when the cluster has reached the slot, or after the time in which it usually does; `newest` was read. */
  readonly waitForSlot: (slot: Slot, newest: Slot) => Promise<void>;
};

/** Accounts that change more often than this are decided by a later comparison. */
const ROUNDS = 3;
/** Slots between two readings, so that they say something of the slots between them. */
const PAUSE_SLOTS = 4n;

/**
 * Reads accounts from each endpoint, and those that are strange again after some slots. An endpoint that fails is left out.
 * Throws if all fail.
 */
export async function readFromEach(options: ReadOptions): Promise<EndpointReadings> {
  const { addresses, isStrange, waitForSlot } = options;
  const readings = new Map(options.endpoints.map((each) => [each, emptyReadings()]));
  let rest = addresses;
  let { minSlot } = options;
  for (let round = 0; round < ROUNDS && rest.length > 0; round++) {
    if (round > 0) {
      const newest = newestSlot(readings);
      minSlot = toSlot(newest + PAUSE_SLOTS);
      await waitForSlot(minSlot, newest);
    }
    await readRound(readings, rest, round === 0 ? minSlot : undefined);
    rest = rest.filter((address) => isStrange(address, lastReadings(readings, address)));
  }
  return readings;
}

type MutableReadings = Map<EndpointWitness, Map<Address, AccountReading[]>>;

const emptyReadings = () => new Map<Address, AccountReading[]>();

async function readRound(
  readings: MutableReadings,
  addresses: readonly Address[],
  minSlot: Slot | undefined,
): Promise<void> {
  const endpoints = [...readings.keys()];
  const results = await Promise.allSettled(
    endpoints.map((endpoint) => endpoint.getAccounts(addresses, minSlot)),
  );
  for (const [i, endpoint] of endpoints.entries()) {
    const result = results[i];
    if (result?.status === 'fulfilled') {
      const known = readings.get(endpoint) ?? emptyReadings();
      addReadings(known, addresses, result.value);
      readings.set(endpoint, known);
    } else readings.delete(endpoint);
  }
  const [failed] = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (readings.size === 0) throw failed;
}

function addReadings(
  known: Map<Address, AccountReading[]>,
  addresses: readonly Address[],
  { slot, accounts }: Awaited<ReturnType<EndpointWitness['getAccounts']>>,
): void {
  for (const [i, address] of addresses.entries()) {
    const before = known.get(address) ?? [];
    // a node behind a load balancer may go back, and says nothing then
    if ((before.at(-1)?.slot ?? 0n) <= slot) before.push({ slot, account: accounts[i] });
    known.set(address, before);
  }
}

/** The last one of each endpoint. */
const lastReadings = (readings: EndpointReadings, address: Address): AccountReading[] =>
  [...readings.values()].flatMap((ofEndpoint) => ofEndpoint.get(address)?.at(-1) ?? []);

export const newestSlot = (readings: EndpointReadings): Slot =>
  [...readings.values()]
    .flatMap((ofEndpoint) => [...ofEndpoint.values()].flat())
    .reduce((newest, { slot }) => (slot > newest ? slot : newest), toSlot(0n));

export const isSameAccount = (
  a: ClusterAccount | undefined,
  b: ClusterAccount | undefined,
): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.owner === b.owner && a.lamports === b.lamports && bytesEqual(a.data, b.data);
