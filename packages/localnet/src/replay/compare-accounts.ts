import type { Address, ClusterAccount } from '@tidegate/core/base';
import { fieldDifferences } from './field-differences.ts';
import { findProtocolProgram, identifyProtocolAccount } from './protocol-accounts.ts';
import type { ReadableSlot, SlotRun } from './run-slot.ts';
import type {
  AccountProof,
  NotProvableReason,
  ReplayedAccountKind,
  TransactionProof,
} from './slot-proof.ts';
import { isSameAccount } from './slot-state.ts';

type Judgement = Pick<AccountProof, 'verdict' | 'reason' | 'detail' | 'differences' | 'ours'>;

/** Compares every account of the programs that the slot wrote with what the replay wrote. */
export function compareAccounts(readable: ReadableSlot, run: SlotRun): AccountProof[] {
  return [...writtenAddresses(readable, run)].flatMap((address) => {
    const proof = compareAccount(address, readable, run);
    return proof === undefined ? [] : proof;
  });
}

function writtenAddresses({ slot }: ReadableSlot, { writes, state }: SlotRun): Set<Address> {
  const changed = [...slot.after.keys()].filter(
    (address) =>
      slot.before.has(address) && !isSameAccount(slot.before.get(address), slot.after.get(address)),
  );
  return new Set([...writes.keys(), ...state.unknownAddresses, ...changed]);
}

function compareAccount(
  address: Address,
  readable: ReadableSlot,
  run: SlotRun,
): AccountProof | undefined {
  const { before, after } = readable.slot;
  const ours = run.state.find(address);
  const existing = after.get(address) ?? ours ?? before.get(address);
  const identity = existing && identifyProtocolAccount(existing);
  if (identity === undefined) return undefined;
  const written = run.writes.get(address);
  const cause = run.state.unknownSince(address);
  const named = namedBy(address, readable);
  const { program, kind } = identity;
  return {
    address,
    program,
    kind,
    instructions: [...(cause === undefined ? (written?.instructions ?? []) : named.instructions)],
    signatures: [...(cause === undefined ? (written?.signatures ?? []) : named.signatures)],
    ...judge(address, { readable, run, cause, ours, kind }),
  };
}

type Comparison = {
  readonly readable: ReadableSlot;
  readonly run: SlotRun;
  readonly cause: TransactionProof | undefined;
  readonly ours: ClusterAccount | undefined;
  readonly kind: ReplayedAccountKind;
};

function judge(address: Address, { readable, run, cause, ours }: Comparison): Judgement {
  const { before, after } = readable.slot;
  const written = run.writes.get(address);
  if (!after.has(address)) {
    const isKnown = cause === undefined && ours !== undefined;
    return { ...notProvable('stateAfterUnknown'), ...(isKnown && { ours }) };
  }
  if (cause !== undefined) return judgeCause(cause, before.has(address));
  const actual = after.get(address);
  if (isSameAccount(ours, actual)) return { verdict: 'proven' };
  if (written === undefined) return notProvable('transactionMissing');
  if (written.assumed.size > 0)
    return notProvable('accountUnknown', [...written.assumed].join(', '));
  if (ours === undefined || actual === undefined) {
    const [expected, found] = [ours, actual].map((each) =>
      each === undefined ? 'closed' : 'open',
    );
    const existence = { field: 'account', offset: 0, expected: `${expected}`, actual: `${found}` };
    return { verdict: 'differing', differences: [existence] };
  }
  const codec = identifyProtocolAccount(actual)?.codec;
  const differences = fieldDifferences({ codec, expected: ours.data, actual: actual.data });
  return { verdict: 'differing', differences };
}

/** A transaction that the replay could not execute wrote the account, or that it refuses. */
function judgeCause(cause: TransactionProof, isSeenBefore: boolean): Judgement {
  const { verdict, reason, detail, differences = [], signature } = cause;
  if (verdict === 'differing') return { verdict, detail: signature, differences };
  if (!isSeenBefore) return notProvable('stateBeforeUnknown', detail);
  return notProvable(reason ?? 'earlierTransaction', detail);
}

function notProvable(reason: NotProvableReason, detail?: string): Judgement {
  return { verdict: 'notProvable', reason, ...(detail === undefined ? {} : { detail }) };
}

type Named = { readonly instructions: Set<string>; readonly signatures: Set<string> };

/** The instructions of the account's program that list it, of transactions that did not fail. */
function namedBy(address: Address, { slot, transactions }: ReadableSlot): Named {
  const named: Named = { instructions: new Set(), signatures: new Set() };
  const owner = (slot.after.get(address) ?? slot.before.get(address))?.owner;
  for (const each of transactions) {
    if ('verdict' in each || each.transaction.error !== undefined) continue;
    for (const { program, accounts, data } of each.protocolCalls) {
      if (program !== owner || !accounts.includes(address)) continue;
      named.instructions.add(findProtocolProgram(program)?.nameOf(data) ?? 'unknown');
      named.signatures.add(each.signature);
    }
  }
  return named;
}
