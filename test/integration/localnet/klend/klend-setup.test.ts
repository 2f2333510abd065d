import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { liquidateObligationAndRedeemReserveCollateral } from '#core/protocol/klend/instructions/liquidation.ts';
import { initObligation } from '#core/protocol/klend/instructions/obligations.ts';
import { refreshObligationFarmsForReserve } from '#core/protocol/klend/instructions/refresh.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { obligationAddress, userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import { goldenPrograms } from '../../../support/flows/flow-calls.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withAccount,
  withAccountSlot,
  withFields,
  withInstruction,
  withoutVariantInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { decodeObligationAt } from '../../../support/lending/refresh-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const setup = lendingFlowVariant('01');
const other = numberedAddress(8);

test('user accounts cannot be created twice', () => {
  for (const name of ['initUserMetadata', 'initObligation']) {
    expect(runError(withInstruction(setup, name, (call) => [call, call]))).toBe(0);
  }
});

test('user accounts must have their derived addresses: 2006', () => {
  expect(runError(withAccountSlot(setup, ['initUserMetadata', 'userMetadata'], other))).toBe(2006);
  expect(runError(withAccountSlot(setup, ['initObligation', 'obligation'], other))).toBe(2006);
  const foreign = userMetadataAddress(accountInSlot(lendingFlowVariant('13'), DEPOSIT, 'owner'));
  expect(runError(withAccountSlot(setup, ['initObligation', 'ownerUserMetadata'], foreign))).toBe(
    2006,
  );
});

test("an obligation requires its owner's metadata: 3007", () => {
  expect(runError(withoutVariantInstruction(setup, 'initUserMetadata'))).toBe(3007);
});

/** Creates an obligation with another tag. */
function ofTag(tag: number, seed1: string, seed2: string): LendingFlowVariant {
  const cluster = lendingFlowVariant('13');
  const named = {
    usdc: accountInSlot(cluster, DEPOSIT, 'reserveLiquidityMint'),
    none: SYSTEM_PROGRAM,
  };
  const [collateralMint, debtMint] = [seed1, seed2].map((name) =>
    name === 'usdc' ? named.usdc : name === 'none' ? named.none : other,
  );
  if (collateralMint === undefined || debtMint === undefined) throw new Error('no seed');
  const owner = accountInSlot(setup, 'initObligation', 'obligationOwner');
  const lendingMarket = accountInSlot(setup, 'initObligation', 'lendingMarket');
  const kind = tag === 1 ? 'multiply' : 'leverage';
  const derived =
    tag === 2
      ? obligationAddress({ kind: 'lending', mint: collateralMint, owner, lendingMarket })
      : obligationAddress({ kind, collateralMint, debtMint, owner, lendingMarket });
  return withInstruction(withoutRest(setup), 'initObligation', (call) => {
    const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
    const { accounts } = initObligation.decode(KLEND_PROGRAM, found);
    const seeds = { obligation: derived, seed1Account: collateralMint, seed2Account: debtMint };
    return initObligation.build(KLEND_PROGRAM, {
      accounts: { ...accounts, ...seeds },
      args: { tag, id: 0 },
    });
  });
}

const withoutRest = (variant: LendingFlowVariant): LendingFlowVariant => ({
  ...variant,
  instructions: [
    variantInstruction(variant, 'initUserMetadata'),
    variantInstruction(variant, 'initObligation'),
  ],
});

test('the seeds of an obligation must be mints; the program panics otherwise', () => {
  const stops = 'ProgramFailedToComplete';
  expect(runError(ofTag(1, 'usdc', 'usdc'))).toBeUndefined();
  expect(runError(ofTag(1, 'usdc', 'other'))).toBe(stops);
  expect(runError(ofTag(2, 'usdc', 'usdc'))).toBeUndefined();
  expect(runError(ofTag(2, 'other', 'other'))).toBe(stops);
  expect(runError(ofTag(3, 'none', 'usdc'))).toBe(stops);
});

test("a farm user is created for the reserve's farm: else 6006, and 6082 if the reserve is obsolete", () => {
  const name = 'initObligationFarmsForReserve';
  expect(runError(withAccountSlot(setup, [name, 'reserveFarmState'], other))).toBe(6006);
  const obsolete = withFields(
    setup,
    [reserve, accountInSlot(setup, name, 'reserve')],
    (fields) => ({
      ...fields,
      config: { ...fields.config, status: 1 },
    }),
  );
  expect(runError(obsolete)).toBe(6082);
});

test("a deposit over the reserve's limit fails with 6090", () => {
  const address = accountInSlot(setup, DEPOSIT, 'reserve');
  const full = withFields(setup, [reserve, address], (fields) => ({
    ...fields,
    config: { ...fields.config, depositLimit: toLamports(1_000_000n) },
  }));
  expect(runError(full)).toBe(6090);
});

test('a mint with an unknown extension fails with 6108', () => {
  const variant = lendingFlowVariant('08');
  const address = accountInSlot(variant, DEPOSIT, 'reserveLiquidityMint');
  const account = variant.accounts.get(address);
  if (account === undefined) throw new Error('no mint');
  const fields = mint.decode(account);
  const unknown = { kind: 'other' as const, type: 99, data: new Uint8Array(4) };
  const entries = [...(fields.extensions?.entries ?? []), unknown];
  const data = mint.encode({ ...fields, extensions: { entries, rest: new Uint8Array() } });
  expect(runError(withAccount(variant, address, { ...account, data }))).toBe(6108);
  expect(runError(variant)).toBeUndefined();
});

test('the current program stores the time of a loan, the recorded one does not', () => {
  const variant = lendingFlowVariant('02');
  const loan = accountInSlot(variant, 'borrowObligationLiquidityV2', 'obligation');
  const current = new Map([...goldenPrograms, [KLEND_PROGRAM, createKlendProgram()]]);
  const timeOf = (programs = goldenPrograms) =>
    decodeObligationAt(runVariant(variant, programs).live, loan).borrows[0]
      ?.lastBorrowedAtTimestamp;
  expect(timeOf()).toBe(0n);
  expect(timeOf(current)).toBe(variant.at.unix);
});

test('a V1 liquidation has the same result as a V2 liquidation', () => {
  const variant = lendingFlowVariant('29');
  const name = 'liquidateObligationAndRedeemReserveCollateralV2';
  const call = variantInstruction(variant, name);
  const refresh = (side: 'collateral' | 'debt') =>
    refreshObligationFarmsForReserve.build(KLEND_PROGRAM, {
      accounts: {
        crank: accountInSlot(variant, name, 'liquidator'),
        obligation: accountInSlot(variant, name, 'obligation'),
        lendingMarketAuthority: accountInSlot(variant, name, 'lendingMarketAuthority'),
        reserve: accountInSlot(variant, name, side === 'debt' ? 'repayReserve' : 'withdrawReserve'),
        reserveFarmState: accountInSlot(variant, name, `${side}ReserveFarmState`),
        obligationFarmUserState: accountInSlot(variant, name, `${side}ObligationFarmUserState`),
        lendingMarket: accountInSlot(variant, name, 'lendingMarket'),
        farmsProgram: FARMS_PROGRAM,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      args: { mode: side === 'debt' ? 1 : 0 },
    });
  const farms = [refresh('collateral'), refresh('debt')];
  const first = {
    ...call,
    accounts: call.accounts.slice(0, 20),
    data: Uint8Array.of(
      ...liquidateObligationAndRedeemReserveCollateral.discriminator,
      ...call.data.subarray(8),
    ),
  };
  const { error, live } = runVariant(
    withInstruction(variant, name, () => [...farms, first, ...farms]),
  );
  expect(error).toBeUndefined();
  expect(
    runError(withInstruction(variant, name, () => [...farms, first, ...farms.reverse()])),
  ).toBe(2502);
  const accounts = [...variant.flow.after].filter(
    ([, account]) => account?.owner === KLEND_PROGRAM,
  );
  expect(accounts.length).toBeGreaterThan(2);
  for (const [address, account] of accounts) expect(live.get(address)).toEqual(account);
});
