import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { WRITE } from '#core/base/solana/instruction.ts';
import { initObligation } from '#core/protocol/klend/instructions/init-obligation.ts';
import { initReferrerTokenState } from '#core/protocol/klend/instructions/init-referrer-token-state.ts';
import { initUserMetadata } from '#core/protocol/klend/instructions/init-user-metadata.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { referrerTokenState } from '#core/protocol/klend/layout/referrer.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress, userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  callOf,
  endOf,
  type LendingScene,
  lendingScene,
  runScene,
  slotOf,
  withCall,
  withFields,
  withSlot,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  obligationIn,
  reserveIn,
  tokensIn,
} from '../../../support/lending/refresh-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const BORROW = 'borrowObligationLiquidityV2';
const referrer = numberedAddress(60);

const recorded = lendingScene('02');
const own = slotOf(recorded, BORROW, 'obligation');
const market = slotOf(recorded, BORROW, 'lendingMarket');
const lent = slotOf(recorded, BORROW, 'borrowReserve');
const feeVault = slotOf(recorded, BORROW, 'borrowReserveLiquidityFeeReceiver');
const state = referrerTokenStateAddress(referrer, lent);

/** The recorded loan, brought in by a referrer who gets 20 % of the fee. */
const referred = withFields(
  withFields(recorded, [obligation, own], (fields) => ({ ...fields, referrer })),
  [lendingMarket, market],
  (fields) => ({ ...fields, referralFeeBps: 2_000 }),
);

const makeState = (of: Address, at = referrerTokenStateAddress(referrer, of)) =>
  initReferrerTokenState.build(KLEND_PROGRAM, {
    accounts: {
      payer: slotOf(recorded, BORROW, 'owner'),
      lendingMarket: market,
      reserve: of,
      referrer,
      referrerTokenState: at,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: {},
  });

const withState = (scene: LendingScene, of: Address): LendingScene => ({
  ...scene,
  instructions: [makeState(of), ...scene.instructions],
});

test('a loan of an obligation with a referrer needs the token state of the referrer: 6078', () => {
  expect(endOf(referred)).toBe(6078);
});

test('the referrer gets a part of the fee, counted in the token state and kept in the reserve', () => {
  const [plain, scene] = [
    runScene(recorded),
    withSlot(withState(referred, lent), [BORROW, 'referrerTokenState'], state),
  ];
  const { error, live } = runScene(scene);
  expect(error).toBeUndefined();
  const before = tokensIn(recorded.accounts, feeVault);
  const fee = tokensIn(plain.live, feeVault) - before;
  const share = fee / 5n;
  expect(share).toBeGreaterThan(0n);
  expect(tokensIn(live, feeVault) - before).toBe(fee - share);
  const counted = referrerTokenState.decode(live.get(state));
  expect(counted.amountUnclaimedSf).toBe(sfFromInt(share));
  expect(counted.amountCumulativeSf).toBe(sfFromInt(share));
  expect(counted.referrer).toBe(referrer);
  const [ours, without] = [reserveIn(live, lent), reserveIn(plain.live, lent)];
  const kept = ours.liquidity.totalAvailableAmount - without.liquidity.totalAvailableAmount;
  expect(kept).toBe(share);
});

test("a token state of another token or another referrer's is refused: 6075, 6077", () => {
  const foreign = obligationIn(recorded.accounts, own).deposits[0]?.depositReserve;
  if (foreign === undefined) throw new Error('no deposit');
  const wrongReserve = referrerTokenStateAddress(referrer, foreign);
  const given = withSlot(
    withState(referred, foreign),
    [BORROW, 'referrerTokenState'],
    wrongReserve,
  );
  expect(endOf(given)).toBe(6075);
  const another = withFields(referred, [obligation, own], (fields) => ({
    ...fields,
    referrer: numberedAddress(61),
  }));
  const held = withSlot(withState(another, lent), [BORROW, 'referrerTokenState'], state);
  expect(endOf(held)).toBe(6077);
});

test('interest is shared with the referrer when the obligation is refreshed', () => {
  const repay = lendingScene('03');
  const name = 'refreshObligation';
  const debt = slotOf(repay, 'repayObligationLiquidityV2', 'repayReserve');
  const rate = withFields(repay, [reserve, debt], (fields) => ({
    ...fields,
    liquidity: {
      ...fields.liquidity,
      absoluteReferralRateSf: sfFromInt(1n),
      pendingReferrerFeesSf: sfFromInt(10n ** 12n),
    },
    config: { ...fields.config, protocolTakeRatePct: 0, hostFixedInterestRateBps: 0 },
  }));
  const scene = withFields(
    withFields(rate, [obligation, own], (fields) => ({ ...fields, referrer })),
    [lendingMarket, market],
    (fields) => ({ ...fields, referralFeeBps: 2_000 }),
  );
  expect(endOf(scene)).toBe(6006);
  const listed = withCall(withState(scene, debt), name, (call) => ({
    ...call,
    accounts: [...call.accounts, { address: state, role: WRITE }],
  }));
  const upTo = { ...listed, instructions: listed.instructions.slice(0, -2) };
  expect(callOf(upTo, name).accounts.at(-1)?.address).toBe(state);
  const { error, live } = runScene(upTo);
  expect(error).toBeUndefined();
  const before = obligationIn(repay.accounts, own).borrows[0];
  const after = obligationIn(live, own).borrows[0];
  if (before === undefined || after === undefined) throw new Error('no debt');
  const { absoluteReferralRateSf } = reserveIn(live, debt).liquidity;
  const interest = after.borrowedAmountSf - before.borrowedAmountSf;
  const { amountUnclaimedSf } = referrerTokenState.decode(live.get(state));
  expect(interest).toBeGreaterThan(0n);
  expect(amountUnclaimedSf).toBe((interest * absoluteReferralRateSf) >> 60n);
});

test('a wallet that names a referrer passes it on to its obligations', () => {
  const scene = lendingScene('01');
  const owner = slotOf(scene, 'initUserMetadata', 'owner');
  const referrers = userMetadataAddress(referrer);
  const own = slotOf(scene, 'initObligation', 'obligation');
  const metadata = (of: Address, referrerUserMetadata?: Address) =>
    initUserMetadata.build(KLEND_PROGRAM, {
      accounts: {
        ...{ owner: of, feePayer: owner, userMetadata: userMetadataAddress(of) },
        referrerUserMetadata,
        ...{ rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM },
      },
      args: { userLookupTable: SYSTEM_PROGRAM },
    });
  const instructions = [
    metadata(referrer),
    metadata(owner, referrers),
    callOf(scene, initObligation.name),
  ];
  const { error, live } = runScene({ ...scene, instructions });
  expect(error).toBeUndefined();
  expect(userMetadata.decode(live.get(userMetadataAddress(owner))).referrer).toBe(referrer);
  expect(obligationIn(live, own).referrer).toBe(referrer);
});
