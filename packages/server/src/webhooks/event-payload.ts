import {
  type Address,
  encodeBase58,
  formatRatio,
  formatUnits,
  LIVE_DIGITS,
  ratioOfSf,
  sfFromBits,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { farmEventKinds, lendingEventKinds, vaultEventKinds } from '../history/event-kinds.ts';
import type { EventRow } from '../history/schema/event-tables.ts';
import type { JsonObject } from './payload.ts';

type LendingRow = EventRow<'lendingEvent'>;
type VaultRow = EventRow<'vaultEvent'>;
type FarmRow = EventRow<'farmEvent'>;
type EventPosition = Pick<
  LendingRow,
  'signature' | 'path' | 'eventIndex' | 'slot' | 'transactionIndex'
>;

/** Identifies an event in one slot: a transaction that lands again after a rollback is another event. */
export const eventKeyOf = ({
  signature,
  path,
  eventIndex,
  slot,
}: Omit<EventPosition, 'transactionIndex'>): string =>
  `${encodeBase58(signature)}/${[...path].join('.')}/${eventIndex}@${slot}`;

const positionJson = (row: EventPosition): JsonObject => ({
  eventId: `${encodeBase58(row.signature)}/${[...row.path].join('.')}/${row.eventIndex}`,
  signature: encodeBase58(row.signature),
  instructionPath: [...row.path],
  transactionIndex: row.transactionIndex,
});

/** Base units of the token, and whole tokens where its decimals are known. */
function amountJson(amount: bigint, decimals: bigint | undefined): JsonObject {
  const tokens = decimals === undefined ? null : formatUnits(amount, Number(decimals));
  return { baseUnits: amount.toString(), tokens };
}

type Amounts = Readonly<Record<string, readonly [bigint | null, bigint | undefined]>>;

/** Without amounts that the event does not have. */
const amountsJson = (amounts: Amounts): JsonObject =>
  Object.fromEntries(
    Object.entries(amounts).flatMap(([name, [amount, decimals]]) =>
      amount === null ? [] : [[name, amountJson(amount, decimals)]],
    ),
  );

const priceJson = (price: bigint | null): string | null =>
  price === null ? null : formatRatio(ratioOfSf(sfFromBits(price)), LIVE_DIGITS);

const decimalsOf = (reader: ClusterReader, reserve: Address | null): bigint | undefined =>
  reserve === null ? undefined : reader.reserve(reserve)?.fields.liquidity.mintDecimals;

export function lendingEventJson(row: LendingRow, reader: ClusterReader): JsonObject {
  const { kind, wallet, market, obligation, reserve, otherReserve, mint, payer } = row;
  const decimals = decimalsOf(reader, reserve);
  return {
    product: 'lending',
    event: lendingEventKinds[kind] ?? String(kind),
    ...positionJson(row),
    ...{ wallet, market, obligation, reserve, otherReserve, tokenMint: mint, payer },
    priceUsd: priceJson(row.priceSf),
    amounts: amountsJson({
      liquidity: [row.liquidityAmount, decimals],
      collateral: [row.collateralAmount, undefined],
      redeemed: [row.redeemedAmount, undefined],
      debt: [row.debtAmount, decimals],
      fee: [row.feeAmount, decimals],
    }),
  };
}

export function vaultEventJson(row: VaultRow, reader: ClusterReader): JsonObject {
  const { kind, wallet, vault, reserve, otherWallet } = row;
  const fields = reader.vault(vault)?.fields;
  return {
    product: 'vault',
    event: vaultEventKinds[kind] ?? String(kind),
    ...positionJson(row),
    ...{ wallet, vault, reserve, otherWallet, tokenMint: fields?.tokenMint ?? null },
    priceUsd: priceJson(row.priceSf),
    amounts: amountsJson({
      token: [row.tokenAmount, fields?.tokenMintDecimals],
      shares: [row.sharesAmount, fields?.sharesMintDecimals],
      collateral: [row.collateralAmount, undefined],
    }),
  };
}

export function farmEventJson(row: FarmRow): JsonObject {
  const { kind, wallet, farm, vault, obligation, userState, otherWallet, mint } = row;
  return {
    product: 'farm',
    event: farmEventKinds[kind] ?? String(kind),
    ...positionJson(row),
    ...{ wallet, farm, vault, obligation, userState, otherWallet, tokenMint: mint },
    priceUsd: priceJson(row.priceSf),
    amounts: {
      ...(row.amount !== null && { amount: { baseUnits: farmBaseUnits(row), tokens: null } }),
      ...amountsJson({ fee: [row.feeAmount, undefined] }),
    },
  };
}

/** The program counts what leaves a stake in parts of 10^18. */
const UNSTAKE_DECIMALS = 18;

const farmBaseUnits = ({ kind, amount }: FarmRow): string =>
  formatUnits(amount ?? 0n, farmEventKinds[kind] === 'unstake' ? UNSTAKE_DECIMALS : 0);

/** A liquidation in the view of the owner: the repaid debt, and the seized collateral if it is recorded. */
export function liquidationPayload(
  repaid: LendingRow,
  seized: LendingRow | undefined,
  reader: ClusterReader,
): JsonObject {
  const { wallet, market, obligation, payer } = repaid;
  return {
    ...positionJson(repaid),
    ...{ wallet, market, obligation, liquidator: payer },
    repaid: partJson(repaid, reader),
    seized: seized === undefined ? null : partJson(seized, reader),
  };
}

function partJson(row: LendingRow, reader: ClusterReader): JsonObject {
  const decimals = decimalsOf(reader, row.reserve);
  return {
    reserve: row.reserve,
    tokenMint: row.mint,
    priceUsd: priceJson(row.priceSf),
    ...amountsJson({ amount: [row.liquidityAmount, decimals], fee: [row.feeAmount, decimals] }),
  };
}
