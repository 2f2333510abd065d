import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { type Instruction, SIGN } from '../../base/solana/instruction.ts';
import { FARMS_PROGRAMS } from '../../protocol/farms/program.ts';
import { KLEND_PROGRAMS } from '../../protocol/klend/program.ts';
import { KVAULT_PROGRAMS } from '../../protocol/kvault/program.ts';
import { SCOPE_PROGRAMS } from '../../protocol/scope/program.ts';
import { addressLookupTable } from '../../protocol/spl/layout/address-lookup-table.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import type { BuildContext, LookupTable } from '../build.ts';
import type { BuildStep } from '../build-summary.ts';
import { toUsableLookupTables } from '../lending/lending-lookup-tables.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import type { SwapInstructions } from './leverage-request.ts';

const MAX_INSTRUCTIONS = 16;
const MAX_TABLES = 5;

/** A swap that calls one of them could use the flash loan, or change a position. */
const ownPrograms: ReadonlySet<Address> = new Set([
  ...KLEND_PROGRAMS,
  ...KVAULT_PROGRAMS,
  ...FARMS_PROGRAMS,
  ...SCOPE_PROGRAMS,
]);

/** First bytes of token instructions that give somebody else power over an account. */
const tokenGrants: ReadonlyMap<number, string> = new Map([
  [4, 'approve'],
  [6, 'setAuthority'],
  [13, 'approveChecked'],
]);

/** First bytes of system instructions that a swap needs: createAccount, transfer, createAccountWithSeed. */
const systemAllowed: readonly number[] = [0, 2, 3];

/** Throws SWAP_NOT_ACCEPTED for a swap that could do more than swap with the wallet's signature. */
export function swapSteps({ instructions }: SwapInstructions, wallet: Address): BuildStep[] {
  if (instructions.length === 0 || instructions.length > MAX_INSTRUCTIONS) {
    throw notAccepted(
      `it has ${instructions.length} instructions instead of 1 to ${MAX_INSTRUCTIONS}`,
    );
  }
  return instructions.map((instruction, index) => {
    requireInstruction(instruction, wallet, index);
    return { instruction, why: 'An instruction of the swap, as given.', isGiven: true };
  });
}

function requireInstruction(instruction: Instruction, wallet: Address, index: number): void {
  const { programAddress, accounts, data } = instruction;
  const fail = (reason: string): never => {
    throw notAccepted(`instruction ${index} ${reason}`);
  };
  const signer = accounts.find(({ address, role }) => (role & SIGN) !== 0 && address !== wallet);
  if (signer !== undefined) fail(`needs the signature of ${signer.address}`);
  if (ownPrograms.has(programAddress))
    fail(`calls ${programAddress}, which only the builder calls`);
  if (programAddress === COMPUTE_BUDGET_PROGRAM) {
    fail('sets the compute budget: use computeUnitLimit and computeUnitPrice');
  }
  const [kind = -1] = data;
  const isToken = programAddress === TOKEN_PROGRAM || programAddress === TOKEN_2022_PROGRAM;
  if (isToken && tokenGrants.has(kind)) fail(`is ${tokenGrants.get(kind)} of the token program`);
  if (programAddress === SYSTEM_PROGRAM && !systemAllowed.includes(kind)) {
    fail('is one of the system program that no swap needs');
  }
}

/** Lookup tables of the swap as they are usable now. Throws if one cannot be read. */
export function swapLookupTables(
  { lookupTables }: SwapInstructions,
  context: BuildContext,
): LookupTable[] {
  requireTableCount(lookupTables);
  return lookupTables.flatMap((address) => {
    const account = existingAccount(address, context);
    if (account === undefined || !addressLookupTable.matches(account)) {
      throw notAccepted(`${address} is not a lookup table`);
    }
    return toUsableLookupTables(address, addressLookupTable.decode(account), context);
  });
}

/** Before they are read. */
export function requireTableCount(tables: readonly Address[]): readonly Address[] {
  if (tables.length <= MAX_TABLES) return tables;
  throw notAccepted(`it has ${tables.length} lookup tables; the limit is ${MAX_TABLES}`);
}

const notAccepted = (reason: string): CodedError => new CodedError('SWAP_NOT_ACCEPTED', { reason });
