import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toSlot } from '#core/base/time.ts';
import { topupReserveRewards } from '#core/protocol/klend/instructions/administration.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  withAccount,
  withChanges,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeReserveAt,
  refreshReservesInstruction,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';

const PER_SLOT = 3n;
/** A recorded deposit of an SPL token, and one of a Token-2022 token. */
const DEPOSITS = {
  token: ['26', 'depositReserveLiquidity'],
  token2022: ['08', 'depositReserveLiquidityAndObligationCollateralV2'],
} as const;

/** The wallet of a recorded deposit, and its reserve with rewards: generated settings, recorded accounts. */
function rewardsCase({ maxAprBps = 10_000, of = 'token' as keyof typeof DEPOSITS } = {}) {
  const [flow, name] = DEPOSITS[of];
  const recorded = lendingFlowVariant(flow);
  const slot = (account: string) => accountInSlot(recorded, name, account);
  const [signer, market, reserve] = [slot('owner'), slot('lendingMarket'), slot('reserve')];
  const enabled = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    reserveRewardsMaxAprBps: maxAprBps,
  }));
  const variant = withFields(enabled, [reserveLayout, reserve], (fields) => ({
    ...fields,
    config: { ...fields.config, rewardsAmountPerAccrualUnit: toLamports(PER_SLOT) },
  }));
  const { liquidity } = decodeReserveAt(variant.accounts, reserve);
  const topup = (amount: bigint) =>
    topupReserveRewards.build(KLEND_PROGRAM, {
      accounts: {
        signer,
        lendingMarket: market,
        reserve,
        reserveLiquidityMint: liquidity.mintPubkey,
        reserveLiquiditySupply: liquidity.supplyVault,
        sourceLiquidity: slot('userSourceLiquidity'),
        liquidityTokenProgram: liquidity.tokenProgram,
      },
      args: { amount: toLamports(amount) },
    });
  return { variant, reserve, liquidity, source: slot('userSourceLiquidity'), topup };
}

test('a top-up pays into the vault, and the rewards do not count as liquidity yet', () => {
  const { variant, reserve, liquidity, source, topup } = rewardsCase();
  const { error, live } = runVariant({ ...variant, instructions: [topup(1_000n)] });
  expect(error).toBeUndefined();
  const after = decodeReserveAt(live, reserve);
  expect(after.liquidity.rewardsAmountAvailable).toBe(1_000n);
  expect(after.liquidity.totalAvailableAmount).toBe(liquidity.totalAvailableAmount);
  const paid = (address: typeof source) =>
    tokenBalanceAt(live, address) - tokenBalanceAt(variant.accounts, address);
  expect([paid(source), paid(liquidity.supplyVault)]).toEqual([-1_000n, 1_000n]);
});

test('a refresh some slots later makes them liquidity', () => {
  const { variant, reserve, liquidity, topup } = rewardsCase();
  const funded = runVariant({ ...variant, instructions: [topup(1_000n)] });
  const at = { ...variant.at, slot: toSlot(variant.at.slot + 20n) };
  const later = { ...withChanges(variant, funded.live), at };
  const refresh = refreshReservesInstruction(later, [reserve]);
  const { error, live } = runVariant({ ...later, instructions: [refresh] });
  expect(error).toBeUndefined();
  const after = decodeReserveAt(live, reserve).liquidity;
  expect(after.rewardsAmountAvailable).toBe(1_000n - 20n * PER_SLOT);
  expect(after.totalAvailableAmount).toBe(liquidity.totalAvailableAmount + 20n * PER_SLOT);
});

test('zero is refused with 6003, and a market without rewards refuses with 6184', () => {
  const { variant, topup } = rewardsCase();
  expect(runError({ ...variant, instructions: [topup(0n)] })).toBe(6003);
  const disabled = rewardsCase({ maxAprBps: 0 });
  const instructions = [disabled.topup(1n)];
  expect(runError({ ...disabled.variant, instructions })).toBe(6184);
});

test('a mint with an unknown extension fails with 6108, before the rewards of the market are read', () => {
  for (const maxAprBps of [10_000, 0]) {
    const { variant, liquidity, topup } = rewardsCase({ maxAprBps, of: 'token2022' });
    const instructions = [topup(1n)];
    const account = variant.accounts.get(liquidity.mintPubkey);
    if (account === undefined) throw new Error('no mint');
    const fields = mint.decode(account);
    const unknown = { kind: 'other' as const, type: 99, data: new Uint8Array(4) };
    const entries = [...(fields.extensions?.entries ?? []), unknown];
    const data = mint.encode({ ...fields, extensions: { entries, rest: new Uint8Array() } });
    const changed = withAccount(variant, liquidity.mintPubkey, { ...account, data });
    expect(runError({ ...changed, instructions })).toBe(6108);
    expect(runError({ ...variant, instructions })).toBe(maxAprBps === 0 ? 6184 : undefined);
    expect(runError({ ...changed, instructions: [topup(0n)] })).toBe(6003);
  }
});
