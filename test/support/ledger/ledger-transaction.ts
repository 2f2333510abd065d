import { createHash } from 'node:crypto';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { decodeBase58 } from '#core/base/encoding/base58.ts';

/** A call with its accounts and data, and its inner calls in order. */
export type LedgerCall = {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Buffer;
};

export type TopLevelCall = LedgerCall & { readonly inner: readonly LedgerCall[] };

/** A successful transaction, parsed from the response of a node. */
export type LedgerTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly unix: bigint;
  readonly hasFailed: boolean;
  readonly calls: readonly TopLevelCall[];
  /** Owners by token account. */
  readonly owners: ReadonlyMap<Address, Address>;
};

type RecordedCall = { programIdIndex: number; accounts: number[]; data: string };
type RecordedBalance = { accountIndex: number; owner?: string };
type TransactionJson = {
  slot: number;
  blockTime: number;
  transaction: {
    signatures: string[];
    message: { accountKeys: string[]; instructions: RecordedCall[] };
  };
  meta: {
    err: unknown;
    innerInstructions: { index: number; instructions: RecordedCall[] }[];
    preTokenBalances: RecordedBalance[];
    postTokenBalances: RecordedBalance[];
    loadedAddresses?: { writable: string[]; readonly: string[] };
  };
};

export function parseLedgerTransaction(json: string): LedgerTransaction {
  const { slot, blockTime, transaction, meta } = JSON.parse(json) as TransactionJson;
  const { message, signatures } = transaction;
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const keys = [...message.accountKeys, ...writable, ...readonly].map(toAddress);
  const keyAt = (index: number): Address => {
    const key = keys[index];
    if (key === undefined) throw new Error(`no account ${index}`);
    return key;
  };
  const callOf = ({ programIdIndex, accounts, data }: RecordedCall): LedgerCall => ({
    program: keyAt(programIdIndex),
    accounts: accounts.map(keyAt),
    data: Buffer.from(decodeBase58(data) ?? []),
  });
  const innerOf = (index: number): readonly LedgerCall[] =>
    meta.innerInstructions
      .filter((inner) => inner.index === index)
      .flatMap(({ instructions }) => instructions.map(callOf));
  const owners = new Map<Address, Address>();
  for (const { accountIndex, owner } of [...meta.preTokenBalances, ...meta.postTokenBalances]) {
    if (owner !== undefined) owners.set(keyAt(accountIndex), toAddress(owner));
  }
  return {
    signature: signatures[0] ?? '',
    slot: BigInt(slot),
    unix: BigInt(blockTime),
    hasFailed: meta.err !== null,
    calls: message.instructions.map((instruction, i) => ({
      ...callOf(instruction),
      inner: innerOf(i),
    })),
    owners,
  };
}

/** Compares the Anchor discriminator of an instruction. */
const nameBytes = (name: string): Buffer =>
  createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);

export const isInstructionNamed = ({ data }: LedgerCall, name: string): boolean =>
  data.subarray(0, 8).equals(nameBytes(name));

export type Transfer = {
  readonly source: Address;
  readonly destination: Address;
  readonly amount: bigint;
};

const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];

/** Transfer (3) has source and destination; TransferChecked (12) has the mint between them. */
export function parseTransfer({ program, accounts, data }: LedgerCall): Transfer | undefined {
  if (!TOKEN_PROGRAMS.includes(program) || (data[0] !== 3 && data[0] !== 12)) return undefined;
  const [source, second, third] = accounts;
  const destination = data[0] === 3 ? second : third;
  if (source === undefined || destination === undefined) return undefined;
  return { source, destination, amount: data.readBigUInt64LE(1) };
}

export const parseTransfers = (calls: readonly LedgerCall[]): readonly Transfer[] =>
  calls.flatMap((call) => parseTransfer(call) ?? []);
