import { createHash } from 'node:crypto';
import { type Address, addressFromBytes, addressToBytes } from '#core/base/encoding/address.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import type { InsertRow } from '#server/history/writing/bulk-insert.ts';
import { mergeBatches } from '#server/history/writing/merge-batches.ts';

/** Columns with addresses of users or of their accounts. */
const OWN = [
  ...['wallet', 'payer', 'obligation', 'userState', 'otherWallet', 'otherUserState'],
  'signature',
] as const;

/** Repeats all activity with other users on the same markets and vaults. Samples do not change. */
export function createActivityReplicator(times: number): (batch: Batch) => Batch {
  const others = Array.from({ length: times - 1 }, (_, i) => createOther(i + 1));
  return (batch) => mergeBatches([batch, ...others.map((other) => other(batch))]);
}

function createOther(number: number): (batch: Batch) => Batch {
  const names = new Map<Address, Address>();
  const other = (bytes: Uint8Array, size: number): Uint8Array =>
    createHash(size === 64 ? 'sha512' : 'sha256')
      .update(`${number}`)
      .update(bytes)
      .digest();
  const nameOf = (address: Address): Address => {
    const known = names.get(address);
    if (known !== undefined) return known;
    const replica = addressFromBytes(other(addressToBytes(address), 32));
    names.set(address, replica);
    return replica;
  };
  const renamed = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return other(value, value.length);
    return typeof value === 'string' ? nameOf(value as Address) : value;
  };
  const copied = <Each extends InsertRow>(rows: readonly Each[] = []): Each[] =>
    rows.map((row) => {
      const changed = OWN.filter((name) => name in row).map((name) => [name, renamed(row[name])]);
      return { ...row, ...Object.fromEntries(changed) };
    });
  return (batch) => ({
    lendingEvents: copied(batch.lendingEvents),
    vaultEvents: copied(batch.vaultEvents),
    farmEvents: copied(batch.farmEvents),
    obligationStates: copied(batch.obligationStates),
    vaultHoldings: copied(batch.vaultHoldings),
    farmStakes: copied(batch.farmStakes),
  });
}
