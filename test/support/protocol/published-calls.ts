import { createHash } from 'node:crypto';
import { type Address, addressFromBytes, toAddress } from '#core/base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import { u64Seed } from '#core/base/solana/pda.ts';
import type { Call } from '#core/protocol/spl/transaction/call-tree.ts';
import { published, publishedInstruction } from './published-instructions.ts';

const TOKEN = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

/** An address derived from a name. */
export function namedAddress(name: string): Address {
  return addressFromBytes(Uint8Array.from(createHash('sha256').update(name).digest()));
}

type CallParts = {
  /** The encoded arguments. */
  readonly args?: readonly Uint8Array[];
  readonly children?: readonly Call[];
  /** Absent optional accounts. */
  readonly absent?: readonly string[];
};

/**
 * A call of a published instruction. Account addresses are derived from their names; a repeated name is prefixed with
 * its group.
 */
export function publishedCall(program: string, name: string, parts: CallParts = {}): Call {
  const spec = publishedInstruction(program, name);
  const id = programAddress(program);
  const names: string[] = [];
  for (const account of spec.accounts) {
    const isNew = !names.includes(account.name);
    names.push(isNew ? account.name : `${account.group}.${account.name}`);
  }
  return {
    program: id,
    accounts: names.map((label) => (parts.absent?.includes(label) ? id : namedAddress(label))),
    data: concatBytes([bytesFromHex(spec.discriminator ?? ''), ...(parts.args ?? [])]),
    path: [0],
    children: parts.children ?? [],
  };
}

export function programAddress(program: string): Address {
  const { id } = published.programs[program] as unknown as { id: string };
  return toAddress(id);
}

/** Encodes a little-endian u64. */
export const u64Bytes = u64Seed;

export const transferCall = (source: string, destination: string, amount: bigint): Call =>
  tokenCall('03', [source, destination, 'authority'], amount);

export const mintCall = (account: string, amount: bigint): Call =>
  tokenCall('07', ['mint', account, 'authority'], amount);

export const burnCall = (account: string, amount: bigint): Call =>
  tokenCall('08', [account, 'mint', 'authority'], amount);

function tokenCall(start: string, names: readonly string[], amount: bigint): Call {
  return {
    program: TOKEN,
    accounts: names.map(namedAddress),
    data: concatBytes([bytesFromHex(start), u64Bytes(amount)]),
    path: [0, 0],
    children: [],
  };
}
