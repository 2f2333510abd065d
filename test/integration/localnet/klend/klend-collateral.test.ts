import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import {
  depositObligationCollateral,
  depositObligationCollateralV2,
} from '#core/protocol/klend/instructions/deposits.ts';
import {
  withdrawObligationCollateral,
  withdrawObligationCollateralV2,
} from '#core/protocol/klend/instructions/withdrawals.ts';
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

test('a batch with prices equals three refreshes', () => {
  const variant = lendingFlowVariant('08');
  const loan = accountInSlot(variant, 'refreshObligation', 'obligation');
  const operationReserve = accountInSlot(variant, DEPOSIT, 'reserve');
  const batch = refreshReservesInstruction(variant, [
    ...positionReserves(variant.accounts, loan),
    operationReserve,
  ]);
  const rest = variant.instructions.filter(({ data }) => data[0] !== 2 || data.length !== 8);
  const { error, live } = runVariant({ ...variant, instructions: [batch, ...rest] });
  expect(error).toBeUndefined();
  expect(variant.instructions.length - rest.length).toBe(3);
  for (const [address, account] of variant.flow.after) {
    if (account?.owner === KLEND_PROGRAM) expect(live.get(address)).toEqual(account);
  }
});

/** A wallet with cTokens, its obligation, and the accounts of the instructions that move them. */
function cTokens() {
  const variant = lendingFlowVariant('27');
  const name = 'redeemReserveCollateral';
  const owner = accountInSlot(variant, name, 'owner');
  const lendingMarket = accountInSlot(variant, name, 'lendingMarket');
  const operationReserve = accountInSlot(variant, name, 'reserve');
  const loan = obligationAddress({ kind: 'vanilla', owner, lendingMarket });
  const positions = positionReserves(variant.accounts, loan);
  const { farmCollateral, collateral } = decodeReserveAt(variant.accounts, operationReserve);
  expect(farmCollateral).toBe(ZERO_ADDRESS);
  expect(positions).not.toContain(operationReserve);
  const wallet = accountInSlot(variant, name, 'userSourceCollateral');
  const accounts = { owner, obligation: loan, lendingMarket, tokenProgram: TOKEN_PROGRAM };
  const rest = {
    lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    obligationFarmUserState: undefined,
    reserveFarmState: undefined,
    farmsProgram: FARMS_PROGRAM,
  };
  const debts = positions.slice(positions.length - 1);
  const deposits = positions.slice(0, -1);
  const batch = refreshReservesInstruction(variant, [...positions, operationReserve]);
  return {
    variant,
    loan,
    operationReserve,
    wallet,
    vault: collateral.supplyVault,
    before: [batch, refreshObligationInstruction(variant, loan, positions)],
    between: [
      batch,
      refreshObligationInstruction(variant, loan, [...deposits, operationReserve, ...debts]),
    ],
    into: { ...accounts, ...rest, depositReserve: operationReserve, userSourceCollateral: wallet },
    outOf: {
      ...accounts,
      ...rest,
      withdrawReserve: operationReserve,
      userDestinationCollateral: wallet,
    },
  };
}

const AMOUNT = 250_000_000n;

test('cTokens can be deposited and withdrawn', () => {
  const { variant, loan, operationReserve, wallet, vault, into, outOf, before, between } =
    cTokens();
  const args = { collateralAmount: AMOUNT };
  const deposit = depositObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...into, reserveDestinationCollateral: vault },
    args,
  });
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args,
  });
  const there = runVariant({ ...variant, instructions: [...before, deposit] });
  expect(there.error).toBeUndefined();
  const { deposits } = decodeObligationAt(there.live, loan);
  const placed = deposits.find(({ depositReserve }) => depositReserve === operationReserve);
  expect(placed?.depositedAmount).toBe(AMOUNT);
  expect(tokenBalanceAt(there.live, wallet)).toBe(
    tokenBalanceAt(variant.accounts, wallet) - AMOUNT,
  );
  expect(tokenBalanceAt(there.live, vault)).toBe(tokenBalanceAt(variant.accounts, vault) + AMOUNT);
  const back = runVariant({
    ...variant,
    instructions: [...before, deposit, ...between, withdraw],
  });
  expect(back.error).toBeUndefined();
  expect(tokenBalanceAt(back.live, wallet)).toBe(tokenBalanceAt(variant.accounts, wallet));
  const left = decodeObligationAt(back.live, loan).deposits.filter(isDeposit);
  expect(left.map(({ depositReserve }) => depositReserve)).not.toContain(operationReserve);
});

test('V1 collateral instructions require preceding refreshes', () => {
  const { variant, loan, operationReserve, vault, into, outOf, before } = cTokens();
  const args = { collateralAmount: AMOUNT };
  const deposit = depositObligationCollateral.build(KLEND_PROGRAM, {
    accounts: { ...into, reserveDestinationCollateral: vault },
    args,
  });
  const withdraw = withdrawObligationCollateral.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args,
  });
  const batched = { ...variant, instructions: [...before, deposit] };
  expect(runError(batched)).toBe(6051);
  expect(runError({ ...variant, instructions: [...before, withdraw] })).toBe(6051);
  const [batch, refresh] = before;
  const single = variantInstruction(lendingFlowVariant('92'), 'refreshReserve');
  expect(single.accounts[0]?.address).toBe(operationReserve);
  const instructions = [batch, single, refresh, deposit].flatMap((each) => each ?? []);
  const { error, live } = runVariant({ ...variant, instructions });
  expect(error).toBeUndefined();
  expect(decodeObligationAt(live, loan).deposits.filter(isDeposit)).toHaveLength(3);
});

test('a reserve can block cToken withdrawals: 6132', () => {
  const { variant, operationReserve, outOf, vault, before } = cTokens();
  const blocked = (from: LendingFlowVariant) =>
    withFields(from, [reserve, operationReserve], (fields) => ({
      ...fields,
      config: { ...fields.config, blockCtokenUsage: 1 },
    }));
  expect(runError(blocked(lendingFlowVariant('26')))).toBe(6132);
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: { ...outOf, reserveSourceCollateral: vault },
    args: { collateralAmount: AMOUNT },
  });
  expect(runError(blocked({ ...variant, instructions: [...before, withdraw] }))).toBe(6132);
  expect(runError(blocked(variant))).toBeUndefined();
});

test('withdrawing the last cTokens closes the obligation and returns its rent to the owner', () => {
  const recorded = lendingFlowVariant('14');
  const name = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
  const slot = (each: string) => accountInSlot(recorded, name, each);
  const owner = slot('owner');
  const mint = slot('reserveCollateralMint');
  const wallet = numberedAddress(40);
  const empty = exampleTokenAccount({ mint, owner, tokenProgram: TOKEN_PROGRAM, amount: 0n });
  const variant = withAccount(recorded, wallet, empty);
  const loan = slot('obligation');
  const withdraw = withdrawObligationCollateralV2.build(KLEND_PROGRAM, {
    accounts: {
      owner,
      obligation: loan,
      lendingMarket: slot('lendingMarket'),
      lendingMarketAuthority: slot('lendingMarketAuthority'),
      withdrawReserve: slot('withdrawReserve'),
      reserveSourceCollateral: slot('reserveSourceCollateral'),
      userDestinationCollateral: wallet,
      tokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      obligationFarmUserState: slot('obligationFarmUserState'),
      reserveFarmState: slot('reserveFarmState'),
      farmsProgram: FARMS_PROGRAM,
    },
    args: { collateralAmount: U64_MAX },
  });
  const refreshes = ['refreshReserve', 'refreshObligation'].map((each) =>
    variantInstruction(variant, each),
  );
  const { error, live } = runVariant({ ...variant, instructions: [...refreshes, withdraw] });
  expect(error).toBeUndefined();
  const [deposit] = decodeObligationAt(variant.accounts, loan).deposits;
  expect(tokenBalanceAt(live, wallet)).toBe(deposit?.depositedAmount);
  expect(live.changes().get(loan)).toBeUndefined();
  const rent = variant.accounts.get(loan)?.lamports ?? 0n;
  expect(live.get(owner).lamports - live.before(owner).lamports).toBe(rent);
  const stake = userState.decode(live.get(slot('obligationFarmUserState')));
  expect(stake.activeStakeScaled).toBe(0n);
});
