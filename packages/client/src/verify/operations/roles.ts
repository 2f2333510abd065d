import type { MessageAccount } from '../bytes/resolve-accounts.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { GivenInstruction } from '../verifiable-request.ts';
import type { Findings } from './findings.ts';

type Role = { readonly isWritable: boolean; readonly isSigner: boolean };

const READ: Role = { isWritable: false, isSigner: false };

type RoleContext = {
  readonly accounts: readonly MessageAccount[];
  readonly wallet: string;
  /** Instructions of the request, which are in the transaction as well. */
  readonly given?: readonly GivenInstruction[];
};

/** Checks that each account of the message may do exactly what the instructions need. */
export function checkRoles(
  calls: readonly Call[],
  { accounts, wallet, given = [] }: RoleContext,
  findings: Findings,
): void {
  const needed = neededRoles(calls, { wallet, given });
  for (const { address = '', isWritable, isSigner } of accounts) {
    const role = needed.get(address);
    if (role === undefined) {
      findings.add('UNUSED_ACCOUNT', `No instruction uses the account ${address}.`);
    } else if (role.isSigner !== isSigner && address !== wallet) {
      const code = isSigner ? 'EXTRA_SIGNER' : 'WRONG_ROLE';
      findings.add(code, `The account ${address} ${isSigner ? 'signs' : 'does not sign'}.`);
    } else if (role.isWritable !== isWritable) {
      const text = isWritable ? 'is writable, which nothing needs' : 'is not writable';
      findings.add('WRONG_ROLE', `The account ${address} ${text}.`);
    }
  }
}

/** The union over all instructions, as the message has only one role for an account. */
function neededRoles(
  calls: readonly Call[],
  { wallet, given }: { readonly wallet: string; readonly given: readonly GivenInstruction[] },
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>([[wallet, { isWritable: true, isSigner: true }]]);
  const add = (address: string | undefined, role: Role) => {
    if (address === undefined) return;
    const before = roles.get(address) ?? READ;
    roles.set(address, {
      isWritable: before.isWritable || role.isWritable,
      isSigner: before.isSigner || role.isSigner,
    });
  };
  for (const call of calls) {
    add(call.program, READ);
    for (const { name, ...role } of call.spec.accounts) add(call.accounts[name], role);
    call.remaining.forEach((address, i) => {
      add(address, {
        isWritable: isRemainingWritable(call, i),
        isSigner: isPermissioningAuthority(call, i),
      });
    });
  }
  for (const { programAddress, accounts } of given) {
    add(programAddress, READ);
    for (const { address, role } of accounts) {
      add(address, { isWritable: role.startsWith('WRITABLE'), isSigner: role.endsWith('SIGNER') });
    }
  }
  return roles;
}

/** Reserves are writable. A vault instruction lists reserves, then as many markets. */
const isRemainingWritable = ({ spec, remaining }: Call, index: number): boolean =>
  spec.program !== 'kvault' || index < Math.floor(remaining.length / 2);

/** A vault instruction may end with it: whether this vault has one is checked with the list. */
const isPermissioningAuthority = ({ spec, remaining }: Call, index: number): boolean =>
  spec.program === 'kvault' && remaining.length % 2 === 1 && index === remaining.length - 1;
