import { bytesEqual } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { LendingMarket } from '@tidegate/core/protocol/klend/layout';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { advanceNonceAccount } from '@tidegate/core/protocol/spl/instructions';
import type { LendingCall } from './lending-constraints.ts';

/**
 * Administrators cannot use a durable nonce, unless the market allows it: a transaction that was signed long ago could be
 * sent at any time. Every instruction of the transaction is looked at, not only the first.
 */
export function requireNoDurableNonce(
  { call, rules }: LendingCall,
  { disableNonceBlock }: LendingMarket,
): void {
  if (rules.durableNonces === 'allowed' || disableNonceBlock !== 0) return;
  const { discriminator } = advanceNonceAccount;
  const hasNonce = call.instructions.some(
    ({ programAddress, data }) =>
      programAddress === SYSTEM_PROGRAM &&
      bytesEqual(data.subarray(0, discriminator.length), discriminator),
  );
  if (!hasNonce) return;
  throw klendRejection(
    'TransactionIncludesNonceInstruction',
    'the transaction has a durable nonce',
  );
}
