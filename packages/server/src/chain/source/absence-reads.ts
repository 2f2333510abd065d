import type { Address, ClusterAccount, KeyedAccount, Slot } from '@tidegate/core/base';

type AccountsRead = {
  readonly slot: Slot;
  readonly accounts: readonly (ClusterAccount | undefined)[];
};

export type AbsenceReadsOptions = {
  /** A read that is independent of the one that did not return the accounts, at a slot that is not earlier. */
  readonly read: (addresses: readonly Address[]) => Promise<AccountsRead>;
  /** Other accounts that exist: an answer without one of them proves nothing. */
  readonly existing: readonly Address[];
  readonly random: () => number;
  /** Gives up when many accounts were missing and most of the first ones exist: then the first read is worthless. */
  readonly onlySamples?: boolean;
};

type FoundAccount = KeyedAccount & { readonly slot: Slot };

type PartReads = Omit<AbsenceReads, 'skipped'>;

/** What further reads say of accounts that a read did not return. */
export type AbsenceReads = {
  readonly found: readonly FoundAccount[];
  readonly absent: readonly Address[];
  /** The reads contradict each other. */
  readonly unknown: readonly Address[];
  /** Not read again, because most of the others exist. */
  readonly skipped: readonly Address[];
};

/** Of a node's most accounts per request, so that a request has both. */
const PART = 84;
const CONTROLS = 16;
/** With fewer controls, an answer must be repeated. */
const ENOUGH_CONTROLS = 8;
/** Reads of a part that contradict each other until its accounts are unknown. */
const MAX_ROUNDS = 4;
const MANY = 1_000;

/**
 * Reads accounts again that a read did not return. Each request also asks for accounts that exist: a node that leaves out
 * some of these is not believed. After a contradiction, two good answers in a row are required.
 */
export async function readAbsent(
  suspects: readonly Address[],
  options: AbsenceReadsOptions,
): Promise<AbsenceReads> {
  const parts: PartReads[] = [];
  let read = 0;
  while (read < suspects.length) {
    const part = suspects.slice(read, read + PART);
    const result = await readPart(part, options);
    parts.push(result);
    read += part.length;
    const isWorthless = options.onlySamples === true && result.found.length * 2 > part.length;
    if (isWorthless && suspects.length > MANY) break;
  }
  return {
    found: parts.flatMap(({ found }) => found),
    absent: parts.flatMap(({ absent }) => absent),
    unknown: parts.flatMap(({ unknown }) => unknown),
    skipped: suspects.slice(read),
  };
}

async function readPart(
  part: readonly Address[],
  options: AbsenceReadsOptions,
): Promise<PartReads> {
  const found: FoundAccount[] = [];
  let missing = part;
  let agreeing = 0;
  let required = 1;
  for (let round = 0; round < MAX_ROUNDS && missing.length > 0; round++) {
    const controls = pickControls(part, options);
    const { slot, accounts } = await options.read([...missing, ...controls]);
    const returned = missing.flatMap((address, i) => {
      const account = accounts[i];
      return account === undefined ? [] : [{ address, account, slot }];
    });
    found.push(...returned);
    const isTrusted = accounts.slice(missing.length).every((account) => account !== undefined);
    missing = missing.filter((_, i) => accounts[i] === undefined);
    if (!isTrusted || (round > 0 && returned.length > 0)) {
      agreeing = 0;
      required = 2;
      continue;
    }
    agreeing += 1;
    if (controls.length < ENOUGH_CONTROLS || found.length > 0) required = 2;
    if (agreeing >= required) return { found, absent: missing, unknown: [] };
  }
  return { found, absent: [], unknown: missing };
}

/** At random, because one of them may be closed meanwhile. */
function pickControls(
  part: readonly Address[],
  { existing, random }: AbsenceReadsOptions,
): readonly Address[] {
  const suspects = new Set(part);
  const candidates = existing.filter((address) => !suspects.has(address));
  const start = Math.floor(random() * candidates.length);
  return [...candidates.slice(start), ...candidates.slice(0, start)].slice(0, CONTROLS);
}
