import { expect, test } from 'vitest';
import { READ, type Role, SIGN } from '#core/base/solana/instruction.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  withFields,
  withInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const AUTHORITY = numberedAddress(77);
const NOT_SIGNED = 3010;
const MISSING_PERMISSIONER = 6183;

/** A recorded operation in a market that permits operations: the bits are generated, the accounts recorded. */
function permissionedCase(flow: string, name: string, permissionedOps: bigint) {
  const recorded = lendingFlowVariant(flow);
  const market = accountInSlot(recorded, name, 'lendingMarket');
  const variant = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    permissioningAuthority: AUTHORITY,
    permissionedOps,
  }));
  const withAuthority = (role: Role) =>
    withInstruction(variant, name, (call) => ({
      ...call,
      accounts: [...call.accounts, { address: AUTHORITY, role }],
    }));
  return { variant, withAuthority };
}

test.each([
  { flow: '01', name: 'depositReserveLiquidityAndObligationCollateralV2', bit: 1n },
  { flow: '26', name: 'depositReserveLiquidity', bit: 1n },
  { flow: '02', name: 'borrowObligationLiquidityV2', bit: 2n },
  { flow: '29', name: 'liquidateObligationAndRedeemReserveCollateralV2', bit: 4n },
])('$name needs the signature of the permissioning authority', ({ flow, name, bit }) => {
  const { variant, withAuthority } = permissionedCase(flow, name, bit);
  expect(runError(variant)).toBe(MISSING_PERMISSIONER);
  expect(runError(withAuthority(READ))).toBe(NOT_SIGNED);
  expect(runError(withAuthority(SIGN))).toBeUndefined();
  const others = permissionedCase(flow, name, 7n - bit);
  expect(runError(others.variant)).toBeUndefined();
});
