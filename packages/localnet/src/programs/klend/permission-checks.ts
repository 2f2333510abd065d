import type { Address } from '@tidegate/core/base';
import {
  klendRejection,
  needsPermission,
  type PermissionedOperation,
} from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type PermissionCheck = {
  readonly market: LendingMarket;
  readonly reserves: readonly Reserve[];
  readonly operation: PermissionedOperation;
  /** Accounts after the named ones. */
  readonly remaining: readonly Address[];
};

/**
 * Requires the signature of the market's permissioning authority where an operation needs it. The authority is the last of
 * the remaining accounts; returns the others.
 */
export function requirePermission(
  call: InvokeContext,
  { market, reserves, operation, remaining }: PermissionCheck,
): readonly Address[] {
  if (!needsPermission(market, reserves, operation)) return remaining;
  const authority = remaining.at(-1);
  if (authority !== market.permissioningAuthority) {
    throw klendRejection('MissingPermissioner', `${market.permissioningAuthority} must sign`);
  }
  if (!call.isSigner(authority)) throw anchorFailure(call, 'AccountNotSigner');
  return remaining.slice(0, -1);
}
