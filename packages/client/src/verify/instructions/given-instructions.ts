import { isAddress } from '../bytes/base58.ts';
import { decodeBase64 } from '../bytes/base64.ts';
import type { ParsedTransaction } from '../bytes/parse-transaction.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../bytes/programs.ts';
import type { MessageAccount } from '../bytes/resolve-accounts.ts';
import type { Findings } from '../operations/findings.ts';
import type { GivenInstruction } from '../verifiable-request.ts';

const ROLES: readonly unknown[] = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'];

/** The instructions of a request's swap; undefined if they do not have the form of instructions. */
export function readGiven(swap: unknown): readonly GivenInstruction[] | undefined {
  const { instructions } = fieldsOf(swap);
  if (!Array.isArray(instructions)) return undefined;
  return instructions.every(isInstruction) ? instructions : undefined;
}

function isInstruction(value: unknown): value is GivenInstruction {
  const { programAddress, accounts, data } = fieldsOf(value);
  return (
    isAddressText(programAddress) &&
    Array.isArray(accounts) &&
    accounts.map(fieldsOf).every(({ address, role }) => {
      return isAddressText(address) && ROLES.includes(role);
    }) &&
    (data === null || data === undefined || typeof data === 'string')
  );
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const isAddressText = (value: unknown): boolean => typeof value === 'string' && isAddress(value);

/** Checks that the instructions from `start` on are exactly the given ones. */
export function checkGiven(
  given: readonly GivenInstruction[],
  { start, parsed, accounts }: Place,
  findings: Findings,
): void {
  if (given.length === 0) findings.add('INVALID_REQUEST', 'The swap has no instructions.');
  given.forEach((instruction, offset) => {
    const index = start + offset;
    const data = decodeBase64(instruction.data ?? '');
    if (data === undefined) {
      findings.add(
        'INVALID_REQUEST',
        `The data of instruction ${offset} of the swap is no base64.`,
      );
    } else if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM) {
      // its fee would not be checked
      findings.add('INVALID_REQUEST', 'The swap sets the compute budget.');
    } else if (!isSame({ ...instruction, data }, { start: index, parsed, accounts })) {
      const message = `The instruction is not instruction ${offset} of the given swap.`;
      findings.add('WRONG_SWAP', message, { index });
    }
  });
}

type Place = {
  readonly start: number;
  readonly parsed: ParsedTransaction;
  readonly accounts: readonly MessageAccount[];
};

function isSame(
  given: Pick<GivenInstruction, 'programAddress' | 'accounts'> & { readonly data: Uint8Array },
  { start, parsed, accounts }: Place,
): boolean {
  const found = parsed.instructions[start];
  if (found === undefined) return false;
  const addressOf = (index: number) => accounts[index]?.address;
  return (
    addressOf(found.programIndex) === given.programAddress &&
    found.accountIndexes.length === given.accounts.length &&
    given.accounts.every(
      ({ address }, i) => addressOf(found.accountIndexes[i] ?? -1) === address,
    ) &&
    found.data.length === given.data.length &&
    given.data.every((byte, i) => found.data[i] === byte)
  );
}
