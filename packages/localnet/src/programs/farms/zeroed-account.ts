import type { Address } from '@tidegate/core/base';
import type { InvokeContext } from '../../runtime/program.ts';
import { requireConstraint } from './farm-constraints.ts';

type ZeroedLayout = { readonly size: number; readonly discriminator: Uint8Array };

/** The caller has created the account with its size. Only an unused one has no discriminator. */
export function requireZeroed(
  call: InvokeContext,
  { size, discriminator }: ZeroedLayout,
  { slot, address }: { readonly slot: string; readonly address: Address },
): void {
  const { owner, data } = call.account(address);
  requireConstraint(call, owner === call.program, ['AccountOwnedByWrongProgram', slot]);
  const start = data.subarray(0, discriminator.length);
  const isZeroed = data.length >= size && start.every((byte) => byte === 0);
  requireConstraint(call, isZeroed, ['ConstraintZero', slot]);
}
