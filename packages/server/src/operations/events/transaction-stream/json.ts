import {
  type Address,
  encodeBase58,
  formatInstant,
  type Ratio,
  ratioOfUnits,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type FarmUserEventKind,
  farmEventAmount,
  farmEventInstructions,
  resolveFarmEventToken,
  vaultEventInstructions,
} from '@tidegate/core/views/transactions';
import {
  farmEventKinds,
  lendingEventKinds,
  vaultEventKinds,
} from '../../../history/event-kinds.ts';
import type { RecordedItem } from '../../../history/queries/recorded-events.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import { readFarmPurposes } from '../../../support/pricing/farm-purposes.ts';

/** The fields of an event of `/events/recent`, and where it happened. */
type EventJson = {
  readonly product: 'lending' | 'vault' | 'farm';
  readonly instruction: string;
  readonly timestamp: string;
  readonly slot: string;
  readonly signature: string;
  readonly wallet: Address | null;
  readonly market: Address | null;
  readonly obligation: Address | null;
  readonly reserve: Address | null;
  readonly vault: Address | null;
  readonly farm: Address | null;
  readonly tokenMint: Address | null;
  /** Whole tokens. */
  readonly tokenAmount: string | null;
};

type Removal = { readonly signature: string; readonly slot: string };

/** Undefined for an event that no list has: a change of a farm by its administrators or by the lending program. */
export function itemJson(
  item: RecordedItem,
  reader: ClusterReader,
): EventJson | Removal | undefined {
  switch (item.table) {
    case 'lendingEvent':
      return lendingJson(item.row, reader);
    case 'vaultEvent':
      return vaultJson(item.row, reader);
    case 'farmEvent':
      return farmJson(item.row, reader);
    case 'removed':
      return { signature: encodeBase58(item.signature), slot: String(item.slot) };
  }
}

type CommonRow = Pick<EventRow<'vaultEvent'>, 'at' | 'slot' | 'signature' | 'wallet'>;

const commonJson = ({ at, slot, signature, wallet }: CommonRow) => ({
  timestamp: formatInstant(at),
  slot: String(slot),
  signature: encodeBase58(signature),
  wallet,
});

const formatAmount = (amount: Ratio | undefined): string | null =>
  amount === undefined ? null : formatSeriesRatio(amount);

const wholeTokens = (amount: bigint | null, decimals: bigint | undefined): string | null =>
  formatAmount(
    amount === null || decimals === undefined ? undefined : ratioOfUnits(amount, decimals),
  );

function lendingJson(row: EventRow<'lendingEvent'>, reader: ClusterReader): EventJson {
  const { kind, market, obligation, reserve, vault, mint, liquidityAmount } = row;
  const decimals =
    reserve === null ? undefined : reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  return {
    product: 'lending',
    instruction: lendingEventKinds[kind] ?? '',
    ...commonJson(row),
    ...{ market, obligation, reserve, vault, farm: null },
    tokenMint: mint,
    tokenAmount: wholeTokens(liquidityAmount, decimals),
  };
}

function vaultJson(row: EventRow<'vaultEvent'>, reader: ClusterReader): EventJson {
  const { kind, vault, reserve, tokenAmount } = row;
  const fields = reader.vault(vault)?.fields;
  const name = vaultEventKinds[kind];
  return {
    product: 'vault',
    instruction: name === undefined ? '' : vaultEventInstructions[name],
    ...commonJson(row),
    ...{ market: null, obligation: null, reserve, vault, farm: null },
    tokenMint: fields?.tokenMint ?? null,
    tokenAmount: wholeTokens(tokenAmount, fields?.tokenMintDecimals),
  };
}

function farmJson(row: EventRow<'farmEvent'>, reader: ClusterReader): EventJson | undefined {
  const { farm, vault, obligation, mint, amount } = row;
  const kind = farmEventKinds[row.kind];
  if (kind === undefined || kind === 'setStake' || !isUserKind(kind)) return undefined;
  const purpose = readFarmPurposes(reader).get(farm) ?? { kind: 'token' };
  const token = resolveFarmEventToken({ kind, mint }, reader.farm(farm)?.fields, purpose);
  return {
    product: 'farm',
    instruction: farmEventInstructions[kind],
    ...commonJson(row),
    ...{ market: null, obligation, reserve: null, vault, farm },
    tokenMint: token?.mint ?? null,
    tokenAmount: formatAmount(token && farmEventAmount({ kind, amount }, token)),
  };
}

const isUserKind = (kind: (typeof farmEventKinds)[number]): kind is FarmUserEventKind =>
  Object.hasOwn(farmEventInstructions, kind);
