import {
  type Address,
  decodeBase58,
  type Ratio,
  ratio,
  type UnixSeconds,
} from '@tidegate/core/base';
import type {
  FarmHistoryEvent,
  HistoryEvent,
  LendingHistoryEvent,
  OwnerLookup,
  VaultHistoryEvent,
} from '@tidegate/core/views/transactions';
import { CodedError } from '../../errors.ts';
import { farmEventKinds, lendingEventKinds, vaultEventKinds } from '../../history/event-kinds.ts';
import type { EventInput } from '../../history/schema/event-tables.ts';
import type { Batch } from '../../history/writing/batch.ts';
import type { HistoricalPrices } from '../prices/historical-prices.ts';
import type { VaultToken } from './owner-index.ts';

export type EventRowContext = {
  /** Index of the transaction in its slot. */
  readonly transactionIndex: number;
  /** Time of the slot, for a transaction without a block time. */
  readonly at: UnixSeconds;
  readonly owners: Pick<OwnerLookup, 'mintOfReserve'> & {
    tokenOfVault(vault: Address): VaultToken | undefined;
    mintOfReserveFarm(farm: Address): Address | undefined;
  };
  readonly prices: HistoricalPrices;
};

export type EventRows = Required<Pick<Batch, 'lendingEvents' | 'vaultEvents' | 'farmEvents'>>;

/** The rows of one transaction's events, with the prices at their time. */
export function toEventRows(events: readonly HistoryEvent[], context: EventRowContext): EventRows {
  const select = <Area extends HistoryEvent['area']>(area: Area) =>
    events.filter((event): event is Extract<HistoryEvent, { area: Area }> => event.area === area);
  return {
    lendingEvents: select('lending').map((event) => lendingRow(event, context)),
    vaultEvents: select('vault').map((event) => vaultRow(event, context)),
    farmEvents: select('farm').map((event) => farmRow(event, context)),
  };
}

function lendingRow(
  event: LendingHistoryEvent,
  context: EventRowContext,
): EventInput<'lendingEvent'> {
  const { owners, prices } = context;
  const { mint, otherReserve } = event;
  const at = event.at ?? context.at;
  const otherMint = otherReserve && owners.mintOfReserve(otherReserve);
  return {
    ...positionOf(event, context),
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
    withdrawTicket: event.withdrawTicket ?? null,
    vault: event.vault ?? null,
  };
}

function vaultRow(event: VaultHistoryEvent, context: EventRowContext): EventInput<'vaultEvent'> {
  const { owners, prices } = context;
  const { vault } = event;
  const at = event.at ?? context.at;
  const token = owners.tokenOfVault(vault);
  return {
    ...positionOf(event, context),
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

function farmRow(event: FarmHistoryEvent, context: EventRowContext): EventInput<'farmEvent'> {
  const { mint } = event;
  return {
    ...positionOf(event, context),
    kind: farmEventKinds.indexOf(event.kind),
    farm: event.farm,
    vault: event.vault ?? null,
    obligation: event.obligation ?? null,
    userState: event.userState ?? null,
    otherWallet: event.otherWallet ?? null,
    otherUserState: event.otherUserState ?? null,
    mint: mint ?? null,
    amount: event.amount ?? null,
    feeAmount: event.feeAmount ?? null,
    // a stake that the lending program sets is an amount of its reserve
    ...pricesOf(
      mint ?? context.owners.mintOfReserveFarm(event.farm),
      event.at ?? context.at,
      context.prices,
    ),
    ...managementOf(event),
  };
}

const managementOf = ({ farm, management }: FarmHistoryEvent) => ({
  managedFarm: management === undefined ? null : farm,
  signer: management?.signer ?? null,
  account: management?.account ?? null,
  rewardIndex: management?.rewardIndex ?? null,
  configMode: management?.configMode ?? null,
  configData: management?.configData ?? null,
});

const positionOf = (event: HistoryEvent, { transactionIndex, at }: EventRowContext) => ({
  signature: decodeSignature(event.signature),
  path: Uint8Array.from(event.path),
  eventIndex: event.eventIndex,
  slot: event.slot,
  transactionIndex,
  at: event.at ?? at,
  wallet: event.wallet ?? null,
});

const pricesOf = (mint: Address | undefined, at: UnixSeconds, prices: HistoricalPrices) => ({
  priceSf: (mint && prices.priceAt(mint, at)) ?? null,
  solPriceSf: prices.solPriceAt(at) ?? null,
});

/** Tokens paid per share. The crank fee buys no shares. */
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
