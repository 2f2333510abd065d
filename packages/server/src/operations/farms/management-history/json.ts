import {
  type Address,
  encodeBase58,
  encodeBase64,
  formatInstant,
  mulRatio,
  type Ratio,
  ratioOfUnits,
} from '@tidegate/core/base';
import {
  decodeFarmConfigValue,
  FARM_CONFIG_MODES,
  farmConfigEntries,
} from '@tidegate/core/protocol/farms';
import type { ClusterReader } from '@tidegate/core/state';
import { samplePrice } from '@tidegate/core/views/series';
import { resolveManagementToken } from '@tidegate/core/views/transactions';
import { farmEventKinds } from '../../../history/event-kinds.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import {
  createHistoricalPriceLookup,
  type HistoricalPriceLookup,
} from '../../../support/history/historical-price-lookup.ts';

type FarmRow = EventRow<'farmEvent'>;

export async function farmManagementJson(
  rows: readonly FarmRow[],
  reader: ClusterReader,
  history: HistoryReader,
) {
  const lookup = createHistoricalPriceLookup(history);
  const transactions = [];
  for (const row of rows) {
    const instruction = farmEventKinds[row.kind];
    if (instruction === undefined || row.signer === null) continue;
    const { farm, signer, rewardIndex, configMode } = row;
    const fields = reader.farm(farm)?.fields;
    const token = fields && resolveManagementToken(row, fields);
    const amount =
      token === undefined || row.amount === null
        ? undefined
        : ratioOfUnits(row.amount, token.decimals);
    const mint = row.mint ?? token?.mint ?? null;
    const price = amount && mint ? await readPrice(row, mint, lookup) : undefined;
    transactions.push({
      createdOn: formatInstant(row.at),
      transactionSignature: encodeBase58(row.signature),
      instruction,
      farm,
      signer,
      tokenAmount: amount === undefined ? null : formatSeriesRatio(amount),
      usdAmount: amount && price ? formatSeriesRatio(mulRatio(amount, price)) : null,
      token: mint,
      rewardIndex,
      configMode: configMode === null ? null : (FARM_CONFIG_MODES[configMode] ?? null),
      details: detailsOf(row),
    });
  }
  return transactions;
}

/** Undefined if unknown. */
async function readPrice(
  { priceSf, at }: FarmRow,
  mint: Address,
  lookup: HistoricalPriceLookup,
): Promise<Ratio | undefined> {
  const price = priceSf === null ? await lookup.priceAt(mint, at) : samplePrice(priceSf);
  return price.numerator === 0n ? undefined : price;
}

/** Names of the account that an instruction is about. */
const accountNames: Readonly<Record<string, string>> = {
  rewardUserOnce: 'userState',
  initializeFarmDelegated: 'farmDelegate',
  updateSecondDelegatedAuthority: 'newSecondDelegatedAuthority',
};

function detailsOf({ kind, account, configMode, configData }: FarmRow) {
  if (configMode !== null && configData !== null) {
    const value = settingValue(configMode, configData);
    return {
      mode: configMode,
      data: encodeBase64(configData),
      ...(value === undefined ? {} : { value }),
    };
  }
  const name = accountNames[farmEventKinds[kind] ?? ''];
  return name === undefined || account === null ? null : { [name]: account };
}

/** A count of bytes precedes the value. */
const COUNT_BYTES = 4;

/** The new value of a setting; undefined if its bytes are not understood. */
function settingValue(mode: number, data: Uint8Array): unknown {
  const entry = farmConfigEntries[mode];
  const decoded = entry && decodeFarmConfigValue(entry, data.subarray(COUNT_BYTES));
  if (decoded === undefined) return undefined;
  if (decoded.kind !== 'schedule') return decoded.value.toString();
  return decoded.value.map(({ tsStart, rewardPerTimeUnit }) => ({
    from: tsStart.toString(),
    rate: rewardPerTimeUnit.toString(),
  }));
}
