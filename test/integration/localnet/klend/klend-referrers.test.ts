import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { WRITE } from '#core/base/solana/instruction.ts';
import {
  initObligation,
  initReferrerTokenState,
  initUserMetadata,
} from '#core/protocol/klend/instructions/obligations.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { referrerTokenState, userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress, userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withAccountSlot,
  withFields,
  withInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeObligationAt,
  decodeReserveAt,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const BORROW = 'borrowObligationLiquidityV2';
const referrer = numberedAddress(60);

const recorded = lendingFlowVariant('02');
const loan = accountInSlot(recorded, BORROW, 'obligation');
const market = accountInSlot(recorded, BORROW, 'lendingMarket');
const lent = accountInSlot(recorded, BORROW, 'borrowReserve');
const feeVault = accountInSlot(recorded, BORROW, 'borrowReserveLiquidityFeeReceiver');
const state = referrerTokenStateAddress(referrer, lent);

/** The recorded loan with a referrer who gets 20 % of the fee. */
const referred = withFields(
  withFields(recorded, [obligation, loan], (fields) => ({ ...fields, referrer })),
  [lendingMarket, market],
  (fields) => ({ ...fields, referralFeeBps: 2_000 }),
);

const makeState = (of: Address, at = referrerTokenStateAddress(referrer, of)) =>
  initReferrerTokenState.build(KLEND_PROGRAM, {
    accounts: {
      payer: accountInSlot(recorded, BORROW, 'owner'),
      lendingMarket: market,
      reserve: of,
      referrer,
      referrerTokenState: at,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: {},
  });

const withState = (variant: LendingFlowVariant, of: Address): LendingFlowVariant => ({
  ...variant,
  instructions: [makeState(of), ...variant.instructions],
});

test("a borrow with a referrer requires the referrer's token state: 6078", () => {
  expect(runError(referred)).toBe(6078);
});

test("the referrer's share of the fee is counted in the token state and stays in the reserve", () => {
  const [plain, variant] = [
    runVariant(recorded),
    withAccountSlot(withState(referred, lent), [BORROW, 'referrerTokenState'], state),
  ];
  const { error, live } = runVariant(variant);
  expect(error).toBeUndefined();
  const before = tokenBalanceAt(recorded.accounts, feeVault);
  const fee = tokenBalanceAt(plain.live, feeVault) - before;
  const share = fee / 5n;
  expect(share).toBeGreaterThan(0n);
  expect(tokenBalanceAt(live, feeVault) - before).toBe(fee - share);
  const counted = referrerTokenState.decode(live.get(state));
  expect(counted.amountUnclaimedSf).toBe(sfFromInt(share));
  expect(counted.amountCumulativeSf).toBe(sfFromInt(share));
  expect(counted.referrer).toBe(referrer);
  const [actual, without] = [decodeReserveAt(live, lent), decodeReserveAt(plain.live, lent)];
  const retained = actual.liquidity.totalAvailableAmount - without.liquidity.totalAvailableAmount;
  expect(retained).toBe(share);
});

test('a token state of another token or referrer fails: 6075, 6077', () => {
  const foreign = decodeObligationAt(recorded.accounts, loan).deposits[0]?.depositReserve;
  if (foreign === undefined) throw new Error('no deposit');
  const wrongReserve = referrerTokenStateAddress(referrer, foreign);
  const passed = withAccountSlot(
    withState(referred, foreign),
    [BORROW, 'referrerTokenState'],
    wrongReserve,
  );
  expect(runError(passed)).toBe(6075);
  const another = withFields(referred, [obligation, loan], (fields) => ({
    ...fields,
    referrer: numberedAddress(61),
  }));
  const held = withAccountSlot(withState(another, lent), [BORROW, 'referrerTokenState'], state);
  expect(runError(held)).toBe(6077);
});

test('a refresh of the obligation shares the interest with the referrer', () => {
  const repay = lendingFlowVariant('03');
  const name = 'refreshObligation';
  const debt = accountInSlot(repay, 'repayObligationLiquidityV2', 'repayReserve');
  const rate = withFields(repay, [reserve, debt], (fields) => ({
    ...fields,
    liquidity: {
      ...fields.liquidity,
      absoluteReferralRateSf: sfFromInt(1n),
      pendingReferrerFeesSf: sfFromInt(10n ** 12n),
    },
    config: { ...fields.config, protocolTakeRatePct: 0, hostFixedInterestRateBps: 0 },
  }));
  const variant = withFields(
    withFields(rate, [obligation, loan], (fields) => ({ ...fields, referrer })),
    [lendingMarket, market],
    (fields) => ({ ...fields, referralFeeBps: 2_000 }),
  );
  expect(runError(variant)).toBe(6006);
  const listed = withInstruction(withState(variant, debt), name, (call) => ({
    ...call,
    accounts: [...call.accounts, { address: state, role: WRITE }],
  }));
  const upTo = { ...listed, instructions: listed.instructions.slice(0, -2) };
  expect(variantInstruction(upTo, name).accounts.at(-1)?.address).toBe(state);
  const { error, live } = runVariant(upTo);
  expect(error).toBeUndefined();
  const before = decodeObligationAt(repay.accounts, loan).borrows[0];
  const after = decodeObligationAt(live, loan).borrows[0];
  if (before === undefined || after === undefined) throw new Error('no debt');
  const { absoluteReferralRateSf } = decodeReserveAt(live, debt).liquidity;
  const interest = after.borrowedAmountSf - before.borrowedAmountSf;
  const { amountUnclaimedSf } = referrerTokenState.decode(live.get(state));
  expect(interest).toBeGreaterThan(0n);
  expect(amountUnclaimedSf).toBe((interest * absoluteReferralRateSf) >> 60n);
});

test('obligations inherit the referrer of their wallet', () => {
  const variant = lendingFlowVariant('01');
  const owner = accountInSlot(variant, 'initUserMetadata', 'owner');
  const referrers = userMetadataAddress(referrer);
  const loan = accountInSlot(variant, 'initObligation', 'obligation');
  const metadata = (of: Address, referrerUserMetadata?: Address) =>
    initUserMetadata.build(KLEND_PROGRAM, {
      accounts: {
        owner: of,
        feePayer: owner,
        userMetadata: userMetadataAddress(of),
        referrerUserMetadata,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      args: { userLookupTable: SYSTEM_PROGRAM },
    });
  const instructions = [
    metadata(referrer),
    metadata(owner, referrers),
    variantInstruction(variant, initObligation.name),
  ];
  const { error, live } = runVariant({ ...variant, instructions });
  expect(error).toBeUndefined();
  expect(userMetadata.decode(live.get(userMetadataAddress(owner))).referrer).toBe(referrer);
  expect(decodeObligationAt(live, loan).referrer).toBe(referrer);
});
