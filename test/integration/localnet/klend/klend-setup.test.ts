import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { initObligation } from '#core/protocol/klend/instructions/init-obligation.ts';
import { liquidateObligationAndRedeemReserveCollateral } from '#core/protocol/klend/instructions/liquidate-obligation-and-redeem-reserve-collateral.ts';
import { refreshObligationFarmsForReserve } from '#core/protocol/klend/instructions/refresh-obligation-farms-for-reserve.ts';
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

test('accounts of a user are made once: the system program finds them in use', () => {
  for (const name of ['initUserMetadata', 'initObligation']) {
    expect(runError(withInstruction(setup, name, (call) => [call, call]))).toBe(0);
  }
});

test('accounts of a user are at the addresses of their seeds: 2006', () => {
  expect(runError(withAccountSlot(setup, ['initUserMetadata', 'userMetadata'], other))).toBe(2006);
  expect(runError(withAccountSlot(setup, ['initObligation', 'obligation'], other))).toBe(2006);
  const foreign = userMetadataAddress(accountInSlot(lendingFlowVariant('13'), DEPOSIT, 'owner'));
  expect(runError(withAccountSlot(setup, ['initObligation', 'ownerUserMetadata'], foreign))).toBe(
    2006,
  );
});

test('an obligation needs the metadata of its owner: one that is missing is of another program, 3007', () => {
  expect(runError(withoutVariantInstruction(setup, 'initUserMetadata'))).toBe(3007);
});

/** With an obligation of that tag instead. */
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

const withoutRest = (scene: LendingFlowVariant): LendingFlowVariant => ({
  ...scene,
  instructions: [
    variantInstruction(scene, 'initUserMetadata'),
    variantInstruction(scene, 'initObligation'),
  ],
});

test('the seeds of an obligation are mints; the program stops at others', () => {
  const stops = 'ProgramFailedToComplete';
  expect(runError(ofTag(1, 'usdc', 'usdc'))).toBeUndefined();
  expect(runError(ofTag(1, 'usdc', 'other'))).toBe(stops);
  expect(runError(ofTag(2, 'usdc', 'usdc'))).toBeUndefined();
  expect(runError(ofTag(2, 'other', 'other'))).toBe(stops);
  expect(runError(ofTag(3, 'none', 'usdc'))).toBe(stops);
});

test('the state in a farm is made for the farm of the reserve: 6006, not for one wound up: 6082', () => {
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

test('a deposit beyond the limit of the reserve is refused with 6090', () => {
  const address = accountInSlot(setup, DEPOSIT, 'reserve');
  const full = withFields(setup, [reserve, address], (fields) => ({
    ...fields,
    config: { ...fields.config, depositLimit: toLamports(1_000_000n) },
  }));
  expect(runError(full)).toBe(6090);
});

test('a mint with an extension that the program does not know is refused with 6108', () => {
  const scene = lendingFlowVariant('08');
  const address = accountInSlot(scene, DEPOSIT, 'reserveLiquidityMint');
  const account = scene.accounts.get(address);
  if (account === undefined) throw new Error('no mint');
  const fields = mint.decode(account);
  const unknown = { kind: 'other' as const, type: 99, data: new Uint8Array(4) };
  const entries = [...(fields.extensions?.entries ?? []), unknown];
  const data = mint.encode({ ...fields, extensions: { entries, rest: new Uint8Array() } });
  expect(runError(withAccount(scene, address, { ...account, data }))).toBe(6108);
  expect(runError(scene)).toBeUndefined();
});

test('the current program notes the time of a loan, the recorded one does not', () => {
  const scene = lendingFlowVariant('02');
  const own = accountInSlot(scene, 'borrowObligationLiquidityV2', 'obligation');
  const current = new Map([...goldenPrograms, [KLEND_PROGRAM, createKlendProgram()]]);
  const timeOf = (programs = goldenPrograms) =>
    decodeObligationAt(runVariant(scene, programs).live, own).borrows[0]?.lastBorrowedAtTimestamp;
  expect(timeOf()).toBe(0n);
  expect(timeOf(current)).toBe(scene.at.unix);
});

test('a liquidation of the first generation leaves the loans that the second leaves', () => {
  const scene = lendingFlowVariant('29');
  const name = 'liquidateObligationAndRedeemReserveCollateralV2';
  const call = variantInstruction(scene, name);
  const refresh = (side: 'collateral' | 'debt') =>
    refreshObligationFarmsForReserve.build(KLEND_PROGRAM, {
      accounts: {
        crank: accountInSlot(scene, name, 'liquidator'),
        obligation: accountInSlot(scene, name, 'obligation'),
        lendingMarketAuthority: accountInSlot(scene, name, 'lendingMarketAuthority'),
        reserve: accountInSlot(scene, name, side === 'debt' ? 'repayReserve' : 'withdrawReserve'),
        reserveFarmState: accountInSlot(scene, name, `${side}ReserveFarmState`),
        obligationFarmUserState: accountInSlot(scene, name, `${side}ObligationFarmUserState`),
        lendingMarket: accountInSlot(scene, name, 'lendingMarket'),
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
    withInstruction(scene, name, () => [...farms, first, ...farms]),
  );
  expect(error).toBeUndefined();
  expect(runError(withInstruction(scene, name, () => [...farms, first, ...farms.reverse()]))).toBe(
    2502,
  );
  const accounts = [...scene.flow.after].filter(([, account]) => account?.owner === KLEND_PROGRAM);
  expect(accounts.length).toBeGreaterThan(2);
  for (const [address, account] of accounts) expect(live.get(address)).toEqual(account);
});
