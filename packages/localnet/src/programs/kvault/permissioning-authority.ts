import { type Address, SIGN, ZERO_ADDRESS } from '@tidegate/core/base';
import { kvaultRejection, type VaultRules } from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type PermissionedCall = {
  readonly vault: Pick<VaultState, 'permissioningAuthority'>;
  readonly remaining: readonly Address[];
  readonly rules: VaultRules;
};

/**
 * The remaining accounts without the vault's permissioning authority, which must be the last one and sign. All of them
 * if the vault has none.
 */
export function checkPermissioningAuthority(
  call: InvokeContext,
  { vault, remaining, rules }: PermissionedCall,
): readonly Address[] {
  const { permissioningAuthority: authority } = vault;
  if (rules.permissioning === 'none' || authority === ZERO_ADDRESS) return remaining;
  if (remaining.at(-1) !== authority) {
    const reason = `the last account is not the permissioning authority ${authority}`;
    throw kvaultRejection('InvalidPermissioningAuthority', reason);
  }
  const role = call.metas.at(-1)?.role ?? 0;
  if ((role & SIGN) === 0) throw anchorFailure(call, 'AccountNotSigner');
  return remaining.slice(0, -1);
}
