import { inflateRawSync } from 'node:zlib';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import type { PostgresProcess } from './postgres-process.ts';

/** The cluster has the accounts of older slots no more. */
const READABLE_SLOTS = 300n;

type StateRecord = {
  readonly bytes: Buffer;
  readonly slot: string;
  readonly deflated: Buffer | null;
};

type LoanRange = {
  readonly after: Slot;
  /** Slots that were undone: their states are recorded as they were first. */
  readonly except: ReadonlySet<bigint>;
};

/** Recorded states of loans that differ from the account at the end of their slot, in words. */
export async function findWrongLoans(
  database: PostgresProcess,
  bank: Bank,
  { after, except }: LoanRange,
): Promise<readonly string[]> {
  const oldest = bank.slot - READABLE_SLOTS;
  const rows = (await database.query(
    `select bytes, slot::text, deflated from tidegate_localnet.obligation_state
       join tidegate_localnet.address on id = obligation
     where slot > ${after > oldest ? after : oldest} and slot <= ${bank.slot}`,
  )) as readonly StateRecord[];
  return rows.flatMap(({ bytes, slot, deflated }) => {
    if (except.has(BigInt(slot))) return [];
    const address = addressFromBytes(bytes);
    const account = bank.view(toSlot(BigInt(slot))).account(address);
    const recorded = deflated === null ? undefined : inflateRawSync(deflated);
    const isRight =
      account === undefined || recorded === undefined
        ? account === recorded
        : recorded.equals(account.data);
    return isRight ? [] : [`loan ${address} in slot ${slot}`];
  });
}
