import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type Address,
  type ClusterAccount,
  decodeBase64,
  encodeBase64,
  parseAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import type { Counterexample, FoundDifference, ReplayedReleases } from './counterexample.ts';
import type { ObservedSlot, ObservedTransaction, SeenAccounts } from './observed-slot.ts';

/** Of this form of the document. */
const VERSION = 1;

type StoredAccount = {
  readonly owner: string;
  readonly lamports: string;
  /** Deflated, in base64. */
  readonly data: string;
};

/** One JSON document. */
export function formatCounterexample({
  releases,
  slot,
  ours,
  differences,
}: Counterexample): string {
  const document = {
    version: VERSION,
    releases,
    slot: `${slot.time.slot}`,
    unix: `${slot.time.unix}`,
    isComplete: slot.isComplete,
    hasKeepers: slot.hasKeepers,
    transactions: slot.transactions,
    before: toStored(slot.before),
    after: toStored(slot.after),
    ours: toStored(ours),
    differences,
  };
  return JSON.stringify(document, withoutBigints);
}

/** Nodes write numbers that a client may have read as big integers. */
function withoutBigints(_: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : `${value}`;
}

const toStored = (accounts: SeenAccounts): Record<string, StoredAccount | null> =>
  Object.fromEntries(
    Array.from(accounts, ([address, account]) => [address, account ? packed(account) : null]),
  );

const packed = ({ owner, lamports, data }: ClusterAccount): StoredAccount => ({
  owner,
  lamports: `${lamports}`,
  data: encodeBase64(new Uint8Array(deflateRawSync(data))),
});

/** Throws MALFORMED_DATA for text that is no counterexample, or one of a later version. */
export function parseCounterexample(text: string): Counterexample {
  const root = objectAt(parseJson(text), 'the document');
  if (root['version'] !== VERSION) throw malformed(`its version is not ${VERSION}`);
  return {
    releases: releasesOf(objectAt(root['releases'], 'releases')),
    slot: slotOf(root),
    ours: accountsAt(root['ours'], 'ours'),
    differences: listAt(root['differences'], 'differences').map(differenceOf),
  };
}

function slotOf(root: JsonObject): ObservedSlot {
  const { isComplete, hasKeepers = false } = root;
  if (typeof isComplete !== 'boolean') throw malformed('isComplete is not a boolean');
  if (typeof hasKeepers !== 'boolean') throw malformed('hasKeepers is not a boolean');
  return {
    time: {
      slot: toSlot(integerAt(root['slot'], 'slot')),
      unix: toUnixSeconds(integerAt(root['unix'], 'unix')),
    },
    transactions: listAt(root['transactions'], 'transactions').map(transactionOf),
    before: accountsAt(root['before'], 'before'),
    after: accountsAt(root['after'], 'after'),
    isComplete,
    ...(hasKeepers && { hasKeepers }),
  };
}

function transactionOf(value: unknown): ObservedTransaction {
  const { signature, index, response } = objectAt(value, 'a transaction');
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) {
    throw malformed('the index of a transaction is not an integer');
  }
  return { signature: textAt(signature, 'a signature'), index, response };
}

const releasesOf = ({ klend, kvault, farms }: JsonObject): ReplayedReleases => ({
  klend: textAt(klend, 'the release of klend'),
  kvault: textAt(kvault, 'the release of kvault'),
  farms: textAt(farms, 'the release of farms'),
});

function differenceOf(value: unknown): FoundDifference {
  const { subject, kind, program, instructions, field, offset, expected, actual } = objectAt(
    value,
    'a difference',
  );
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) {
    throw malformed('the offset of a difference is not an integer');
  }
  return {
    subject: textAt(subject, 'a subject'),
    kind: textAt(kind, 'a kind'),
    program: program === undefined ? program : textAt(program, 'a program'),
    instructions: listAt(instructions, 'instructions').map((name) => textAt(name, 'a name')),
    field: textAt(field, 'a field'),
    offset,
    expected: textAt(expected, 'an expected value'),
    actual: textAt(actual, 'an actual value'),
  };
}

function accountsAt(value: unknown, path: string): SeenAccounts {
  return new Map(
    Object.entries(objectAt(value, path)).map(([address, account]) => [
      addressAt(address),
      account === null ? undefined : accountOf(objectAt(account, `${path}.${address}`)),
    ]),
  );
}

/** As long as an account can be. */
const MAX_DATA = 10 * 1024 * 1024;

function accountOf({ owner, lamports, data }: JsonObject): ClusterAccount {
  const deflated = decodeBase64(textAt(data, 'data'), 'data of an account');
  return {
    owner: addressAt(textAt(owner, 'an owner')),
    lamports: integerAt(lamports, 'lamports'),
    data: inflate(deflated),
  };
}

function inflate(deflated: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(deflated, { maxOutputLength: MAX_DATA }));
  } catch (error) {
    throw malformed(`data of an account cannot be inflated: ${error}`);
  }
}

type JsonObject = { readonly [name: string]: unknown };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`${error}`);
  }
}

function objectAt(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(`${path} is not an object`);
  }
  return Object.fromEntries(Object.entries(value));
}

function listAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(`${path} is not a list`);
  return value;
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw malformed(`${path} is not a text`);
  return value;
}

function integerAt(value: unknown, path: string): bigint {
  const text = textAt(value, path);
  if (!/^\d{1,20}$/.test(text)) throw malformed(`${path} is not an integer`);
  return BigInt(text);
}

function addressAt(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw malformed(`${text.slice(0, 50)} is not an address`);
  return address;
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'counterexample', reason });
