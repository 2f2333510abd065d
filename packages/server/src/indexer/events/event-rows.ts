import {
  type Address,
  CodedError,
  decodeBase58,
  type Ratio,
  ratio,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  type FarmHistoryEvent,
  farmEventKinds,
  type HistoryEvent,
  type LendingHistoryEvent,
  lendingEventKinds,
  type OwnerLookup,
  type VaultHistoryEvent,
  vaultEventKinds,
} from '@tidegate/core/views/transactions';
import type { EventInput } from '../../history/schema/event-tables.ts';
import type { Batch } from '../../history/writing/batch.ts';
import type { HistoricalPrices } from '../prices/historical-prices.ts';
import type { VaultToken } from './owner-index.ts';

export type EventRowContext = {
  /** Of the transaction in its slot. */
  readonly place: number;
  /** When the slot was, for a transaction that does not tell it. */
  readonly at: UnixSeconds;
  readonly facts: Pick<OwnerLookup, 'mintOfReserve'> & {
    tokenOfVault(vault: Address): VaultToken | undefined;
  };
  readonly prices: HistoricalPrices;
};

export type EventRows = Required<Pick<Batch, 'lendingEvents' | 'vaultEvents' | 'farmEvents'>>;

/** The events of one transaction as they are kept, with the prices of their time. */
export function toEventRows(events: readonly HistoryEvent[], terms: EventRowContext): EventRows {
  const of = <Area extends HistoryEvent['area']>(area: Area) =>
    events.filter((event): event is Extract<HistoryEvent, { area: Area }> => event.area === area);
  return {
    lendingEvents: of('lending').map((event) => lendingRow(event, terms)),
    vaultEvents: of('vault').map((event) => vaultRow(event, terms)),
    farmEvents: of('farm').map((event) => farmRow(event, terms)),
  };
}

function lendingRow(
  event: LendingHistoryEvent,
  terms: EventRowContext,
): EventInput<'lendingEvent'> {
  const { facts, prices } = terms;
  const { mint, otherReserve } = event;
  const at = event.at ?? terms.at;
  const otherMint = otherReserve && facts.mintOfReserve(otherReserve);
  return {
    ...happened(event, terms),
    kind: lendingEventKinds.indexOf(event.kind),
    market: event.market,
    obligation: event.obligation ?? null,
    reserve: event.reserve ?? null,
    otherReserve: otherReserve ?? null,
    mint: mint ?? null,
    payer: event.payer ?? null,
    elevationGroup: event.elevationGroup ?? null,
    liquidityAmount: event.liquidityAmount ?? null,
    collateralAmount: event.collateralAmount ?? null,
    redeemedAmount: event.redeemedAmount ?? null,
    debtAmount: event.debtAmount ?? null,
    feeAmount: event.feeAmount ?? null,
    ...pricesOf(mint, at, prices),
    otherPriceSf: (otherMint && prices.priceAt(otherMint, at)) ?? null,
    stakeRate: (mint && prices.stakeRateAt(mint, at)) ?? null,
    otherStakeRate: (otherMint && prices.stakeRateAt(otherMint, at)) ?? null,
  };
}

function vaultRow(event: VaultHistoryEvent, terms: EventRowContext): EventInput<'vaultEvent'> {
  const { facts, prices } = terms;
  const { vault } = event;
  const at = event.at ?? terms.at;
  const token = facts.tokenOfVault(vault);
  return {
    ...happened(event, terms),
    kind: vaultEventKinds.indexOf(event.kind),
    vault,
    reserve: event.reserve ?? null,
    tokenAmount: event.tokenAmount ?? null,
    sharesAmount: event.sharesAmount ?? null,
    collateralAmount: event.collateralAmount ?? null,
    crankAmount: event.crankAmount ?? null,
    roundingLossAmount: event.roundingLossAmount ?? null,
    otherWallet: event.otherWallet ?? null,
    ...pricesOf(token?.mint, at, prices),
    tokensPerShare: executedRate(event, token) ?? prices.tokensPerShareAt(vault, at) ?? null,
  };
}

function farmRow(event: FarmHistoryEvent, terms: EventRowContext): EventInput<'farmEvent'> {
  const { mint } = event;
  return {
    ...happened(event, terms),
    kind: farmEventKinds.indexOf(event.kind),
    farm: event.farm,
    vault: event.vault ?? null,
    obligation: event.obligation ?? null,
    userState: event.userState,
    otherWallet: event.otherWallet ?? null,
    otherUserState: event.otherUserState ?? null,
    mint: mint ?? null,
    amount: event.amount ?? null,
    feeAmount: event.feeAmount ?? null,
    ...pricesOf(mint, event.at ?? terms.at, terms.prices),
  };
}

const happened = (event: HistoryEvent, { place, at }: EventRowContext) => ({
  signature: decodeSignature(event.signature),
  path: Uint8Array.from(event.path),
  leg: event.leg,
  slot: event.slot,
  place,
  at: event.at ?? at,
  wallet: event.wallet ?? null,
});

const pricesOf = (mint: Address | undefined, at: UnixSeconds, prices: HistoricalPrices) => ({
  priceSf: (mint && prices.priceAt(mint, at)) ?? null,
  solPriceSf: prices.solPriceAt(at) ?? null,
});

/** What was really paid for a share: the part for moving the funds buys none. */
function executedRate(
  { tokenAmount, crankAmount, sharesAmount }: VaultHistoryEvent,
  token: VaultToken | undefined,
): Ratio | undefined {
  if (token === undefined || tokenAmount === undefined) return undefined;
  if (sharesAmount === undefined || sharesAmount === 0n) return undefined;
  const tokens = tokenAmount - (crankAmount ?? 0n);
  return ratio(tokens * 10n ** token.sharesDecimals, sharesAmount * 10n ** token.tokenDecimals);
}

export function decodeSignature(signature: string): Uint8Array {
  const bytes = decodeBase58(signature);
  if (bytes?.length === 64) return bytes;
  const reason = 'it is not base58 of 64 bytes';
  throw new CodedError('MALFORMED_DATA', { what: 'signature', reason });
}
