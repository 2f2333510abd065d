import type { ClusterReader } from '#core/state/cluster-reader.ts';
import type { StatePart } from '#core/state/index.ts';

/** The part that each read returns. Reads of versions, rules and single unreadable accounts return none. */
const partOfRead: Readonly<Record<string, StatePart | undefined>> = {
  version: undefined,
  versionOf: undefined,
  rulesAt: undefined,
  slotMs: 'slotDuration',
  markets: 'market',
  market: 'market',
  reserve: 'reserve',
  reservesOf: 'reserve',
  obligation: 'obligation',
  obligationsOf: 'obligation',
  obligationsIn: 'obligation',
  withdrawTicketsIn: 'withdrawTicket',
  withdrawTicketsOf: 'withdrawTicket',
  vaults: 'vault',
  vault: 'vault',
  vaultOfShares: 'vault',
  shareBalances: 'shares',
  shareBalance: 'shares',
  shareOwners: 'shares',
  farm: 'farm',
  farmsConfig: 'farmsConfig',
  farmUser: 'farmUser',
  farmUserAt: 'farmUser',
  farmUsersOf: 'farmUser',
  farmUsersIn: 'farmUser',
  lookupTable: 'lookupTable',
  lookupTables: 'lookupTable',
  prices: 'prices',
};

/**
 * Calls `onRead` with each part of the state that is read. The slot itself is in every response header, so only a read of
 * its time counts as a read of `slot`.
 */
export function recordReads(
  reader: ClusterReader,
  onRead: (part: StatePart) => void,
): ClusterReader {
  const at = () => {
    const { slot, unix } = reader.at();
    return {
      slot,
      get unix() {
        onRead('slot');
        return unix;
      },
    };
  };
  const unreadable: ClusterReader['unreadable'] = {
    count: reader.unreadable.count,
    get: (address) => reader.unreadable.get(address),
    first: () => reader.unreadable.first(),
    ofKind: (kind, belongsTo) => {
      onRead(kind);
      return reader.unreadable.ofKind(kind, belongsTo);
    },
  };
  return new Proxy(reader, {
    get(target, name) {
      if (name === 'at') return at;
      if (name === 'unreadable') return unreadable;
      if (typeof name !== 'string' || !Object.hasOwn(partOfRead, name)) {
        throw new Error(`recordReads does not know the read ${String(name)}`);
      }
      const part = partOfRead[name];
      if (part !== undefined) onRead(part);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
