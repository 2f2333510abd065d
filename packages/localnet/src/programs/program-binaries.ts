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

/** The protocol's programs, in addition to the standard ones. */
export const PROTOCOL_PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM, SCOPE_PROGRAM];

const UPGRADEABLE_LOADER = toAddress('BPFLoaderUpgradeab1e11111111111111111111111');
/** A program account has a tag and the address of its program data account. */
const PROGRAM_BYTES = 36;
/** Header of program data: a tag, the deployment slot and the upgrade authority. */
const HEADER_BYTES = 45;

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
  const program = await readAccount(source, address);
  if (program.owner !== UPGRADEABLE_LOADER || program.data.length < PROGRAM_BYTES) {
    throw notProgram(address, 'it is not an upgradeable program');
  }
  const dataAddress = addressFromBytes(program.data.slice(PROGRAM_BYTES - 32, PROGRAM_BYTES));
  const { data } = await readAccount(source, dataAddress);
  if (data.length <= HEADER_BYTES) throw notProgram(address, 'it has no code');
  return data.slice(HEADER_BYTES);
}

async function readAccount(source: AccountReader, address: Address): Promise<ClusterAccount> {
  const { accounts } = await source.getAccounts([address]);
  const [account] = accounts;
  if (account === undefined) throw new CodedError('NOT_FOUND', { what: 'program', address });
  return account;
}

const notProgram = (address: Address, reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: `program ${address}`, reason });
