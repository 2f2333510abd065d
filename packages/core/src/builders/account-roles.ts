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

/** What a transaction does with each account that it names. */
export type AccountRoles = {
  readonly roles: ReadonlyMap<Address, Role>;
  /** Those that may come from a lookup table: no signer, no program that is called. */
  readonly loadable: ReadonlySet<Address>;
};

/** Over all instructions an account has the most that any of them asks for. `wallet` pays the fee. */
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
  const reason = `${address} is called and written to`;
  throw new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
}
