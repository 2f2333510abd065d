import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { depositObligationCollateral } from '#core/protocol/klend/instructions/deposit-obligation-collateral.ts';
import { depositObligationCollateralV2 } from '#core/protocol/klend/instructions/deposit-obligation-collateral-v2.ts';
import { withdrawObligationCollateral } from '#core/protocol/klend/instructions/withdraw-obligation-collateral.ts';
import { withdrawObligationCollateralV2 } from '#core/protocol/klend/instructions/withdraw-obligation-collateral-v2.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { isDeposit } from '#core/protocol/klend/operations/position.ts';
import { lendingMarketAuthority, obligationAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withAccount,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeObligationAt,
  decodeReserveAt,
  positionReserves,
  refreshObligationInstruction,
  refreshReservesInstruction,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';
import { exampleTokenAccount } from '../../../support/localnet/example-token.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';

test('one batch with prices does what three refreshes do', () => {
  const scene = lendingFlowVariant('08');
  const own = accountInSlot(scene, 'refreshObligation', 'obligation');
  const acted = accountInSlot(scene, DEPOSIT, 'reserve');
  const batch = refreshReservesInstruction(scene, [
    ...positionReserves(scene.accounts, own),
    acted,
  ]);
  const rest = scene.instructions.filter(({ data }) => data[0] !== 2 || data.length !== 8);
  const { error, live } = runVariant({ ...scene, instructions: [batch, ...rest] });
  expect(error).toBeUndefined();
  expect(scene.instructions.length - rest.length).toBe(3);
  for (const [address, account] of scene.flow.after) {
    if (account?.owner === KLEND_PROGRAM) expect(live.get(address)).toEqual(account);
  }
});

/** A wallet with cTokens, its obligation, and what the instructions need to move them. */
function cTokens() {
  const scene = lendingFlowVariant('27');
  const name = 'redeemReserveCollateral';
  const owner = accountInSlot(scene, name, 'owner');
  const lendingMarket = accountInSlot(scene, name, 'lendingMarket');
  const acted = accountInSlot(scene, name, 'reserve');
  const own = obligationAddress({ kind: 'vanilla', owner, lendingMarket });
  const positions = positionReserves(scene.accounts, own);
  const { farmCollateral, collateral } = decodeReserveAt(scene.accounts, acted);
  expect(farmCollateral).toBe(ZERO_ADDRESS);
  expect(positions).not.toContain(acted);
  const wallet = accountInSlot(scene, name, 'userSourceCollateral');
  const accounts = { owner, obligation: own, lendingMarket, tokenProgram: TOKEN_PROGRAM };
  const rest = {
    lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    obligationFarmUserState: undefined,
    reserveFarmState: undefined,
    farmsProgram: FARMS_PROGRAM,
  };
  const debts = positions.slice(positions.length - 1);
  const deposits = positions.slice(0, -1);
  const batch = refreshReservesInstruction(scene, [...positions, acted]);
  return {
    ...{ scene, own, acted, wallet, vault: collateral.supplyVault },
    before: [batch, refreshObligationInstruction(scene, own, positions)],
    between: [batch, refreshObligationInstruction(scene, own, [...deposits, acted, ...debts])],
    into: { ...accounts, ...rest, depositReserve: acted, userSourceCollateral: wallet },
    outOf: { ...accounts, ...rest, withdrawReserve: acted, userDestinationCollateral: wallet },
  };
}

const AMOUNT = 250_000_000n;

test('cTokens go into an obligation and come back', () => {
  const { scene, own, acted, wallet, vault, into, outOf, before, between } = cTokens();
  const args = { collateralAmount: AMOUNT };
  const deposit = depositObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...into, reserveDestinationCollateral: vault },
    args,
  });
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args,
  });
  const there = runVariant({ ...scene, instructions: [...before, deposit] });
  expect(there.error).toBeUndefined();
  const { deposits } = decodeObligationAt(there.live, own);
  const placed = deposits.find(({ depositReserve }) => depositReserve === acted);
  expect(placed?.depositedAmount).toBe(AMOUNT);
  expect(tokenBalanceAt(there.live, wallet)).toBe(tokenBalanceAt(scene.accounts, wallet) - AMOUNT);
  expect(tokenBalanceAt(there.live, vault)).toBe(tokenBalanceAt(scene.accounts, vault) + AMOUNT);
  const back = runVariant({
    ...scene,
    instructions: [...before, deposit, ...between, withdraw],
  });
  expect(back.error).toBeUndefined();
  expect(tokenBalanceAt(back.live, wallet)).toBe(tokenBalanceAt(scene.accounts, wallet));
  const left = decodeObligationAt(back.live, own).deposits.filter(isDeposit);
  expect(left.map(({ depositReserve }) => depositReserve)).not.toContain(acted);
});

test('cTokens of the first generation stand behind their own refreshes', () => {
  const { scene, own, acted, vault, into, outOf, before } = cTokens();
  const args = { collateralAmount: AMOUNT };
  const deposit = depositObligationCollateral.build(KLEND_PROGRAM, {
    accounts: { ...into, reserveDestinationCollateral: vault },
    args,
  });
  const withdraw = withdrawObligationCollateral.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args,
  });
  const batched = { ...scene, instructions: [...before, deposit] };
  expect(runError(batched)).toBe(6051);
  expect(runError({ ...scene, instructions: [...before, withdraw] })).toBe(6051);
  const [batch, refresh] = before;
  const single = variantInstruction(lendingFlowVariant('92'), 'refreshReserve');
  expect(single.accounts[0]?.address).toBe(acted);
  const instructions = [batch, single, refresh, deposit].flatMap((each) => each ?? []);
  const { error, live } = runVariant({ ...scene, instructions });
  expect(error).toBeUndefined();
  expect(decodeObligationAt(live, own).deposits.filter(isDeposit)).toHaveLength(3);
});

test('a reserve can keep its cTokens: 6132', () => {
  const { scene, acted, outOf, vault, before } = cTokens();
  const blocked = (from: LendingFlowVariant) =>
    withFields(from, [reserve, acted], (fields) => ({
      ...fields,
      config: { ...fields.config, blockCtokenUsage: 1 },
    }));
  expect(runError(blocked(lendingFlowVariant('26')))).toBe(6132);
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args: { collateralAmount: AMOUNT },
  });
  expect(runError(blocked({ ...scene, instructions: [...before, withdraw] }))).toBe(6132);
  expect(runError(blocked(scene))).toBeUndefined();
});

test('the obligation ends when its last cTokens leave, and its rent goes to the owner', () => {
  const recorded = lendingFlowVariant('14');
  const name = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
  const slot = (each: string) => accountInSlot(recorded, name, each);
  const owner = slot('owner');
  const mint = slot('reserveCollateralMint');
  const wallet = numberedAddress(40);
  const empty = exampleTokenAccount({ mint, owner, tokenProgram: TOKEN_PROGRAM, amount: 0n });
  const scene = withAccount(recorded, wallet, empty);
  const own = slot('obligation');
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      ...{ owner, obligation: own, lendingMarket: slot('lendingMarket') },
      lendingMarketAuthority: slot('lendingMarketAuthority'),
      withdrawReserve: slot('withdrawReserve'),
      reserveSourceCollateral: slot('reserveSourceCollateral'),
      userDestinationCollateral: wallet,
      ...{ tokenProgram: TOKEN_PROGRAM, instructionSysvarAccount: INSTRUCTIONS_SYSVAR },
      obligationFarmUserState: slot('obligationFarmUserState'),
      reserveFarmState: slot('reserveFarmState'),
      farmsProgram: FARMS_PROGRAM,
    },
    args: { collateralAmount: U64_MAX },
  });
  const refreshes = ['refreshReserve', 'refreshObligation'].map((each) =>
    variantInstruction(scene, each),
  );
  const { error, live } = runVariant({ ...scene, instructions: [...refreshes, withdraw] });
  expect(error).toBeUndefined();
  const [deposit] = decodeObligationAt(scene.accounts, own).deposits;
  expect(tokenBalanceAt(live, wallet)).toBe(deposit?.depositedAmount);
  expect(live.changes().get(own)).toBeUndefined();
  const rent = scene.accounts.get(own)?.lamports ?? 0n;
  expect(live.get(owner).lamports - live.before(owner).lamports).toBe(rent);
  const stake = userState.decode(live.get(slot('obligationFarmUserState')));
  expect(stake.activeStakeScaled).toBe(0n);
});
