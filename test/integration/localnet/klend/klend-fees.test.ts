import { expect, test } from 'vitest';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import {
  redeemFees,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from '#core/protocol/klend/instructions/administration.ts';
import { globalConfig } from '#core/protocol/klend/layout/global-config.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { referrerTokenState } from '#core/protocol/klend/layout/user-metadata.ts';
import {
  globalConfigAddress,
  lendingMarketAuthority,
  referrerTokenStateAddress,
} from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  withAccount,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { zeroed } from '../../../support/lending/lending-accounts.ts';
import {
  decodeReserveAt,
  refreshReservesInstruction,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';

/** The reserve of a recorded redemption with fees of the protocol. */
function feeCase() {
  const recorded = lendingFlowVariant('27');
  const slot = (account: string) => accountInSlot(recorded, 'redeemReserveCollateral', account);
  const [reserve, lendingMarket] = [slot('reserve'), slot('lendingMarket')];
  const variant = withFields(recorded, [reserveLayout, reserve], (fields) => ({
    ...fields,
    liquidity: { ...fields.liquidity, accumulatedProtocolFeesSf: sfFromInt(5_000n) },
  }));
  const { liquidity } = decodeReserveAt(variant.accounts, reserve);
  const redeem = redeemFees.build(KLEND_PROGRAM, {
    accounts: {
      reserve,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveLiquidityFeeReceiver: liquidity.feeVault,
      reserveSupplyLiquidity: liquidity.supplyVault,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      tokenProgram: liquidity.tokenProgram,
    },
    args: {},
  });
  return { variant, reserve, liquidity, redeem };
}

test('fees of the protocol move from the reserve to its fee vault', () => {
  const { variant, reserve, liquidity, redeem } = feeCase();
  const refresh = refreshReservesInstruction(variant, [reserve]);
  const { error, live } = runVariant({ ...variant, instructions: [refresh, redeem] });
  expect(error).toBeUndefined();
  const after = decodeReserveAt(live, reserve).liquidity;
  const paid = liquidity.totalAvailableAmount - after.totalAvailableAmount;
  expect(paid).toBeGreaterThanOrEqual(5_000n);
  expect(after.accumulatedProtocolFeesSf).toBeLessThan(sfFromInt(1n));
  const received = (address: typeof reserve) =>
    tokenBalanceAt(live, address) -
    (variant.accounts.has(address) ? tokenBalanceAt(variant.accounts, address) : 0n);
  expect(received(liquidity.supplyVault)).toBe(-paid);
  expect(received(liquidity.feeVault)).toBe(paid);
});

test('without a refresh in the slot the program refuses: 6009', () => {
  const { variant, redeem } = feeCase();
  expect(runError({ ...variant, instructions: [redeem] })).toBe(6009);
});

test('the fee vault pays the fee collector of the global config only, as much as it has', () => {
  const { variant, reserve, liquidity, redeem } = feeCase();
  const { mintPubkey: mint, tokenProgram, feeVault } = liquidity;
  const lendingMarket = accountInSlot(variant, 'redeemReserveCollateral', 'lendingMarket');
  const collector = accountInSlot(variant, 'redeemReserveCollateral', 'owner');
  const vault = variant.accounts.get(liquidity.supplyVault);
  if (vault === undefined) throw new Error('no vault');
  const collectorAta = associatedTokenAddress(collector, mint, tokenProgram);
  const config = { ...zeroed(globalConfig), feeCollector: collector };
  const withConfig = withAccount(
    withAccount(variant, globalConfigAddress(), {
      ...vault,
      owner: KLEND_PROGRAM,
      data: globalConfig.encode(config),
    }),
    collectorAta,
    {
      ...vault,
      data: tokenAccount.encode({
        ...tokenAccount.decode(vault),
        owner: collector,
        amount: toLamports(0n),
      }),
    },
  );
  const withdraw = (destination: typeof reserve) =>
    withdrawProtocolFee.build(KLEND_PROGRAM, {
      accounts: {
        globalConfig: globalConfigAddress(),
        lendingMarket,
        reserve,
        reserveLiquidityMint: mint,
        lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
        feeVault,
        feeCollectorAta: destination,
        tokenProgram,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      },
      args: { amount: toLamports(U64_MAX) },
    });
  const refresh = refreshReservesInstruction(variant, [reserve]);
  const run = (destination: typeof reserve) => ({
    ...withConfig,
    instructions: [refresh, redeem, withdraw(destination)],
  });
  const { error, live } = runVariant(run(collectorAta));
  expect(error).toBeUndefined();
  expect(tokenBalanceAt(live, feeVault)).toBe(0n);
  expect(tokenBalanceAt(live, collectorAta)).toBeGreaterThanOrEqual(5_000n);
  expect(runError(run(liquidity.supplyVault))).toBe(2012);
});

test('a referrer is paid what the reserve owes it, once', () => {
  const { variant, reserve, liquidity } = feeCase();
  const slot = (account: string) => accountInSlot(variant, 'redeemReserveCollateral', account);
  const [referrer, destination] = [slot('owner'), slot('userDestinationLiquidity')];
  const vault = variant.accounts.get(reserve);
  if (vault === undefined) throw new Error('no reserve');
  const state = referrerTokenStateAddress(referrer, reserve);
  const owed = withFields(
    withAccount(variant, state, {
      ...vault,
      data: referrerTokenState.encode({
        ...zeroed(referrerTokenState),
        referrer,
        mint: liquidity.mintPubkey,
        amountUnclaimedSf: sfFromInt(700n),
      }),
    }),
    [reserveLayout, reserve],
    (fields) => ({
      ...fields,
      liquidity: { ...fields.liquidity, accumulatedReferrerFeesSf: sfFromInt(900n) },
    }),
  );
  const withdraw = withdrawReferrerFees.build(KLEND_PROGRAM, {
    accounts: {
      referrer,
      referrerTokenState: state,
      reserve,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveSupplyLiquidity: liquidity.supplyVault,
      referrerTokenAccount: destination,
      lendingMarket: slot('lendingMarket'),
      lendingMarketAuthority: lendingMarketAuthority(slot('lendingMarket')),
      tokenProgram: liquidity.tokenProgram,
    },
    args: {},
  });
  const refresh = refreshReservesInstruction(variant, [reserve]);
  const { error, live } = runVariant({ ...owed, instructions: [refresh, withdraw] });
  expect(error).toBeUndefined();
  expect(tokenBalanceAt(live, destination) - tokenBalanceAt(owed.accounts, destination)).toBe(700n);
  const twice = [refresh, withdraw, refresh, withdraw];
  // InsufficientReferralFeesToRedeem
  expect(runError({ ...owed, instructions: twice })).toBe(6079);
});
