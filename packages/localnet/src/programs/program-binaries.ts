import {
  type Address,
  addressFromBytes,
  type ClusterAccount,
  CodedError,
  toAddress,
} from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';

/** Those that a cluster of ours has beside what every cluster has. */
export const PROTOCOL_PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM, SCOPE_PROGRAM];

const UPGRADEABLE_LOADER = toAddress('BPFLoaderUpgradeab1e11111111111111111111111');
/** A program's account names the one that has its code: a number, then an address. */
const PROGRAM_BYTES = 36;
/** In front of the code: a number, the slot it is from, and who may change it. */
const HEAD_BYTES = 45;

/** A cluster to read accounts from; undefined where one does not exist. */
type Reader = {
  accounts(addresses: readonly Address[]): Promise<{
    readonly accounts: readonly (ClusterAccount | undefined)[];
  }>;
};

/** The code of a program as a cluster has it now. */
export async function fetchProgramBinary(source: Reader, address: Address): Promise<Uint8Array> {
  const program = await readAccount(source, address);
  if (program.owner !== UPGRADEABLE_LOADER || program.data.length < PROGRAM_BYTES) {
    throw notProgram(address, 'it is no program that can be upgraded');
  }
  const named = addressFromBytes(program.data.slice(PROGRAM_BYTES - 32, PROGRAM_BYTES));
  const { data } = await readAccount(source, named);
  if (data.length <= HEAD_BYTES) throw notProgram(address, 'it has no code');
  return data.slice(HEAD_BYTES);
}

async function readAccount(source: Reader, address: Address): Promise<ClusterAccount> {
  const { accounts } = await source.accounts([address]);
  const [account] = accounts;
  if (account === undefined) throw new CodedError('NOT_FOUND', { what: 'program', address });
  return account;
}

const notProgram = (address: Address, reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: `program ${address}`, reason });
