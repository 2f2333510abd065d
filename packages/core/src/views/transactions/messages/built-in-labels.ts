import { type Address, toAddress } from '../../../base/encoding/address.ts';
import { FARMS_PROGRAMS } from '../../../protocol/farms/program.ts';
import { KLEND_PROGRAMS } from '../../../protocol/klend/program.ts';
import { KVAULT_PROGRAMS } from '../../../protocol/kvault/program.ts';
import { SCOPE_PROGRAMS } from '../../../protocol/scope/program.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../protocol/spl/programs.ts';

/** A memo has no effect besides its text. */
export const MEMO_PROGRAMS: readonly Address[] = [MEMO_PROGRAM, MEMO_V1_PROGRAM];

const OTHERS: readonly (readonly [string, string])[] = [
  ['Stake11111111111111111111111111111111111111', 'the stake program'],
  ['Vote111111111111111111111111111111111111111', 'the vote program'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'the program loader'],
  ['Ed25519SigVerify111111111111111111111111111', 'the Ed25519 signature program'],
  ['KeccakSecp256k11111111111111111111111111111', 'the Secp256k1 signature program'],
  ['Secp256r1SigVerify1111111111111111111111111', 'the Secp256r1 signature program'],
  ['SysvarC1ock11111111111111111111111111111111', 'the clock sysvar'],
  ['SysvarRecentB1ockHashes11111111111111111111', 'the recent blockhashes sysvar'],
  ['SysvarS1otHashes111111111111111111111111111', 'the slot hashes sysvar'],
  ['SysvarStakeHistory1111111111111111111111111', 'the stake history sysvar'],
  ['SysvarEpochSchedu1e111111111111111111111111', 'the epoch schedule sysvar'],
];

/** Labels of programs and sysvars. */
export const builtInLabels: ReadonlyMap<Address, string> = new Map([
  ...KLEND_PROGRAMS.map((address) => [address, 'the lending program'] as const),
  ...KVAULT_PROGRAMS.map((address) => [address, 'the vault program'] as const),
  ...FARMS_PROGRAMS.map((address) => [address, 'the farms program'] as const),
  ...SCOPE_PROGRAMS.map((address) => [address, 'the oracle program'] as const),
  ...MEMO_PROGRAMS.map((address) => [address, 'the memo program'] as const),
  ...OTHERS.map(([address, label]) => [toAddress(address), label] as const),
  [TOKEN_PROGRAM, 'the token program'],
  [TOKEN_2022_PROGRAM, 'the Token-2022 program'],
  [ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'],
  [SYSTEM_PROGRAM, 'the system program'],
  [COMPUTE_BUDGET_PROGRAM, 'the compute budget program'],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, 'the lookup table program'],
  [TOKEN_METADATA_PROGRAM, 'the token metadata program'],
  [INSTRUCTIONS_SYSVAR, 'the instructions sysvar'],
  [RENT_SYSVAR, 'the rent sysvar'],
]);
