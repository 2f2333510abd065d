import { expect, test } from 'vitest';
import { decodeBase64 } from '#core/base/encoding/base64.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits } from '#core/base/numbers/scaled-fraction.ts';
import {
  calculateCtokenExchangeRate,
  ctokenExchangeRate,
} from '#core/protocol/klend/instructions/refresh.ts';
import { type Reserve, reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { currentPrograms } from '../../../support/flows/current-programs.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { vectorReserve } from '../../../support/lending/vector-reserve.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const recorded = lendingFlowVariant('13');
const reserve = accountInSlot(recorded, 'refreshReserve', 'reserve');
const call = calculateCtokenExchangeRate.build(KLEND_PROGRAM, { accounts: { reserve }, args: {} });

/** A reserve with the liquidity of the vectors, fresh in the slot. */
const variantWith = (change: (fields: Reserve) => Reserve = (fields) => fields) => ({
  ...withFields(recorded, [reserveLayout, reserve], (fields) => {
    const { liquidity, collateral } = vectorReserve();
    return change({
      ...fields,
      lastUpdate: { ...fields.lastUpdate, slot: recorded.at.slot, stale: 0, priceStatus: 0 },
      liquidity: { ...liquidity, mintDecimals: 9n },
      collateral: { ...fields.collateral, mintTotalSupply: collateral.mintTotalSupply },
    });
  }),
  instructions: [call],
});

function returned(change?: (fields: Reserve) => Reserve) {
  const { error, logs } = runVariant(variantWith(change), currentPrograms);
  expect(error).toBeUndefined();
  const prefix = `Program return: ${KLEND_PROGRAM} `;
  const line = logs.find((each) => each.startsWith(prefix));
  const bytes = decodeBase64(line?.slice(prefix.length) ?? '');
  expect(bytes.length).toBe(17);
  return ctokenExchangeRate.decode(new DataView(bytes.buffer, bytes.byteOffset), 0);
}

test('10^6 cTokens in lamports of 60 bits, and the decimals of the liquidity', () => {
  expect(returned()).toEqual({
    exchangeRateSf: 1_406_056_698_355_369_775_520_603n,
    mintDecimals: 9,
  });
});

test.each<[string, (fields: Reserve) => Reserve]>([
  [
    'cTokens',
    (fields) => ({ ...fields, collateral: { ...fields.collateral, mintTotalSupply: 0n } }),
  ],
  [
    'supply',
    (fields) => ({
      ...fields,
      liquidity: {
        ...fields.liquidity,
        totalAvailableAmount: toLamports(0n),
        borrowedAmountSf: sfFromBits(0n),
        accumulatedProtocolFeesSf: sfFromBits(0n),
      },
    }),
  ],
])('a reserve without %s has the rate 1', (_, change) => {
  expect(returned(change).exchangeRateSf).toBe(1_152_921_504_606_846_976_000_000n);
});

test.each<[string, number, (fields: Reserve) => Reserve]>([
  [
    'a stale reserve',
    6009,
    (fields) => ({ ...fields, lastUpdate: { ...fields.lastUpdate, stale: 1 } }),
  ],
  ['a reserve of another version', 6073, (fields) => ({ ...fields, version: 2n })],
  [
    'more decimals than a byte holds',
    6049,
    (fields) => ({ ...fields, liquidity: { ...fields.liquidity, mintDecimals: 256n } }),
  ],
])('%s fails with %i', (_, code, change) => {
  expect(runError(variantWith(change), currentPrograms)).toBe(code);
});

test('a reserve of another slot fails with 6009, another account with 6006', () => {
  const variant = variantWith();
  const at = { ...variant.at, slot: (variant.at.slot + 1n) as typeof variant.at.slot };
  expect(runError({ ...variant, at }, currentPrograms)).toBe(6009);
  const extra = { ...call, accounts: [...call.accounts, { address: numberedAddress(9), role: 0 }] };
  const instructions = [extra as typeof call];
  expect(runError({ ...variant, instructions }, currentPrograms)).toBe(6006);
});
