import type { Address } from '../base/encoding/address.ts';
import { CodedError } from '../base/errors.ts';
import {
  type Instruction,
  READ,
  type Role,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from '../base/solana/instruction.ts';

/** The role of each account in a transaction. */
export type AccountRoles = {
  readonly roles: ReadonlyMap<Address, Role>;
  /** Accounts that a lookup table can hold: no signers, no called programs. */
  readonly loadable: ReadonlySet<Address>;
};

/** Each account gets the highest role that any instruction requires. `wallet` pays the fee. */
export function accountRoles(wallet: Address, instructions: readonly Instruction[]): AccountRoles {
  const roles = new Map<Address, Role>([[wallet, SIGN_WRITE]]);
  const called = new Set<Address>();
  for (const { programAddress, accounts } of instructions) {
    called.add(programAddress);
    roles.set(programAddress, roles.get(programAddress) ?? READ);
    for (const { address, role } of accounts) {
      roles.set(address, union(roles.get(address) ?? READ, role));
    }
  }
  const loadable = new Set<Address>();
  for (const [address, role] of roles) {
    if (called.has(address)) checkProgram(address, role);
    else if (role < SIGN) loadable.add(address);
  }
  return { roles, loadable };
}

const byBits = [READ, WRITE, SIGN, SIGN_WRITE] as const;

const union = (a: Role, b: Role): Role => byBits[a | b] ?? SIGN_WRITE;

function checkProgram(address: Address, role: Role): void {
  if ((role & WRITE) === 0) return;
  const reason = `${address} is a called program and must not be writable`;
  throw new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
}
