import type { Address, ClusterAccount } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';
import {
  decodeProgram,
  executableOf,
  PROGRAM_DATA_HEADER_BYTES,
} from '@tidegate/core/protocol/spl';
import { CodedError } from '../errors/index.ts';

/** The protocol's programs, in addition to the standard ones. */
export const PROTOCOL_PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM, SCOPE_PROGRAM];

/** Reads accounts of a cluster; undefined for missing ones. */
type AccountReader = {
  getAccounts(addresses: readonly Address[]): Promise<{
    readonly accounts: readonly (ClusterAccount | undefined)[];
  }>;
};

/** The currently deployed code of a program. */
export async function fetchProgramBinary(
  source: AccountReader,
  address: Address,
): Promise<Uint8Array> {
  const dataAddress = decodeProgram(await readAccount(source, address));
  const { data } = await readAccount(source, dataAddress);
  if (data.length <= PROGRAM_DATA_HEADER_BYTES) throw notProgram(address, 'it has no code');
  return executableOf(data).slice();
}

async function readAccount(source: AccountReader, address: Address): Promise<ClusterAccount> {
  const { accounts } = await source.getAccounts([address]);
  const [account] = accounts;
  if (account === undefined) throw new CodedError('NOT_FOUND', { what: 'program', address });
  return account;
}

const notProgram = (address: Address, reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: `program ${address}`, reason });
