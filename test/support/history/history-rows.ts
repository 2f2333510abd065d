import type { Address } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { EventInput, StateInput } from '#server/history/schema/event-tables.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { numberedAddress } from '../protocol/codecs.ts';

export const U64_MAX = 2n ** 64n - 1n;
export const U128_MAX = 2n ** 128n - 1n;
export const U256_MAX = 2n ** 256n - 1n;

/** Midnight of a day in 2025. */
export const MIDNIGHT = 1_750_032_000n;

let lastNumber = 1_000_000;

/** An address that no other test uses. */
export function uniqueAddress(): Address {
  lastNumber += 1;
  return numberedAddress(lastNumber);
}

type Kind<Name extends SeriesPoint['kind']> = Extract<SeriesPoint, { readonly kind: Name }>;
type When = { readonly subject: Address; readonly at: bigint; readonly slot: bigint };

export const reservePoint = (
  { subject, at, slot }: When,
  changes: Partial<Kind<'reserve'>> = {},
): Kind<'reserve'> => ({
  kind: 'reserve',
  resolution: 'minute',
  subject,
  at: toUnixSeconds(at),
  slot: toSlot(slot),
  config: Uint8Array.of(1, 2, 3),
  available: 5n,
  borrowedSf: 6n,
  protocolFeesSf: 7n,
  referrerFeesSf: 8n,
  pendingReferrerFeesSf: 9n,
  collateralSupply: 10n,
  cumulativeBorrowRate: 11n,
  priceSf: 12n,
  priceAt: toUnixSeconds(at - 1n),
  oraclePriceSf: 13n,
  depositLimitCrossedAt: toUnixSeconds(14n),
  borrowLimitCrossedAt: toUnixSeconds(15n),
  ...changes,
});

export const ratioOfThree = (numerator: bigint) => ({ numerator, denominator: 3n });

export const vaultPoint = (
  { subject, at, slot }: When,
  changes: Partial<Kind<'vault'>> = {},
): Kind<'vault'> => ({
  kind: 'vault',
  resolution: 'minute',
  subject,
  at: toUnixSeconds(at),
  slot: toSlot(slot),
  mint: numberedAddress(7),
  farm: null,
  tokenDecimals: 6,
  sharesDecimals: 6,
  available: 1n,
  sharesIssued: 2n,
  heldSf: 3n,
  aumSf: 4n,
  pendingFeesSf: 5n,
  interestSf: 6n,
  managementFeeSf: 7n,
  performanceFeeSf: 8n,
  holders: 9,
  priceSf: 10n,
  solPriceSf: null,
  theoreticalApr: ratioOfThree(1n),
  actualApr: ratioOfThree(2n),
  farmRewardsApr: ratioOfThree(0n),
  reservesIncentivesApr: ratioOfThree(4n),
  interestPerSecond: ratioOfThree(5n),
  interestUsd: ratioOfThree(6n),
  interestSol: ratioOfThree(7n),
  managementFeeUsd: ratioOfThree(8n),
  managementFeeSol: ratioOfThree(9n),
  performanceFeeUsd: ratioOfThree(10n),
  performanceFeeSol: ratioOfThree(11n),
  farmRewardsUsd: ratioOfThree(12n),
  farmRewardsSol: ratioOfThree(13n),
  reserveRewardsUsd: ratioOfThree(14n),
  reserveRewardsSol: ratioOfThree(15n),
  reserves: [numberedAddress(8), numberedAddress(9)],
  investedSf: [16n, 0n],
  supplyAprsSf: [18n, 19n],
  rewardAprsSf: [20n, 21n],
  ...changes,
});

export const pricePoint = (
  { subject, at, slot }: When,
  changes: Partial<Kind<'price'>> = {},
): Kind<'price'> => ({
  kind: 'price',
  resolution: 'minute',
  subject,
  at: toUnixSeconds(at),
  slot: toSlot(slot),
  priceSf: slot,
  ...changes,
});

type Where = { readonly number: number; readonly at: bigint; readonly slot: bigint };

const positionOf = ({ number, at, slot }: Where) => ({
  signature: new Uint8Array(64).fill(number & 255).fill(number >> 8, 0, 1),
  path: Uint8Array.of(0, 1),
  eventIndex: 0,
  slot: toSlot(slot),
  transactionIndex: number,
  at: toUnixSeconds(at),
});

export const lendingEvent = (
  where: Where,
  changes: Partial<EventInput<'lendingEvent'>> = {},
): EventInput<'lendingEvent'> => ({
  ...positionOf(where),
  kind: 3,
  wallet: null,
  market: numberedAddress(1),
  obligation: null,
  reserve: null,
  otherReserve: null,
  mint: null,
  payer: null,
  elevationGroup: null,
  liquidityAmount: 100n,
  collateralAmount: 90n,
  redeemedAmount: null,
  debtAmount: null,
  feeAmount: 1n,
  priceSf: 2n,
  solPriceSf: 3n,
  otherPriceSf: null,
  stakeRate: null,
  otherStakeRate: null,
  withdrawTicket: null,
  vault: null,
  ...changes,
});

export const vaultEvent = (
  where: Where,
  changes: Partial<EventInput<'vaultEvent'>> = {},
): EventInput<'vaultEvent'> => ({
  ...positionOf(where),
  kind: 1,
  wallet: numberedAddress(2),
  vault: numberedAddress(3),
  reserve: null,
  tokenAmount: 10n,
  sharesAmount: 9n,
  collateralAmount: null,
  crankAmount: 1n,
  roundingLossAmount: null,
  otherWallet: null,
  priceSf: null,
  solPriceSf: null,
  tokensPerShare: ratioOfThree(4n),
  ...changes,
});

export const farmEvent = (
  where: Where,
  changes: Partial<EventInput<'farmEvent'>> = {},
): EventInput<'farmEvent'> => ({
  ...positionOf(where),
  kind: 2,
  wallet: numberedAddress(2),
  farm: numberedAddress(4),
  vault: null,
  obligation: null,
  userState: numberedAddress(5),
  otherWallet: null,
  otherUserState: null,
  mint: null,
  amount: 7n,
  feeAmount: null,
  priceSf: null,
  solPriceSf: null,
  managedFarm: null,
  signer: null,
  account: null,
  rewardIndex: null,
  configMode: null,
  configData: null,
  ...changes,
});

export const obligationState = (
  { number, at, slot }: Where,
  changes: Partial<StateInput<'obligationState'>> = {},
): StateInput<'obligationState'> => ({
  obligation: numberedAddress(6),
  wallet: numberedAddress(2),
  slot: toSlot(slot),
  at: toUnixSeconds(at),
  deflated: Uint8Array.of(number),
  ...changes,
});
