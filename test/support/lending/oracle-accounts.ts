import { bytesFromHex } from '#core/base/encoding/bytes.ts';

type PythChanges = {
  readonly level?: number;
  readonly price?: bigint;
  readonly conf?: bigint;
  readonly emaPrice?: bigint;
  readonly emaConf?: bigint;
  readonly publishTime?: bigint;
};

/** A generated `PriceUpdateV2` with eight decimals: 134 bytes, as the receiver program writes it. */
export function pythAccountData(change: PythChanges = {}): Uint8Array {
  const data = new Uint8Array(134);
  data.set(bytesFromHex('22f123639d7ef4cd'));
  const view = new DataView(data.buffer);
  view.setUint8(40, change.level ?? 1);
  view.setBigInt64(73, change.price ?? 15_012_345_678n, true);
  view.setBigUint64(81, change.conf ?? 1_000_000n, true);
  view.setInt32(89, -8, true);
  view.setBigInt64(93, change.publishTime ?? 1_699_999_990n, true);
  view.setBigInt64(109, change.emaPrice ?? 14_900_000_000n, true);
  view.setBigUint64(117, change.emaConf ?? 2_000_000n, true);
  return data;
}

type SwitchboardChanges = {
  readonly value?: bigint;
  readonly deviation?: bigint;
  readonly slot?: bigint;
};

/** A generated `PullFeedAccountData` of 3208 bytes. */
export function switchboardAccountData(change: SwitchboardChanges = {}): Uint8Array {
  const data = new Uint8Array(3_208);
  data.set(bytesFromHex('c41b6cc40ad7db28'));
  const view = new DataView(data.buffer);
  const value = change.value ?? 150n * 10n ** 18n;
  view.setBigUint64(2_264, BigInt.asUintN(64, value), true);
  view.setBigInt64(2_272, value >> 64n, true);
  const deviation = change.deviation ?? 10n ** 18n;
  view.setBigUint64(2_280, BigInt.asUintN(64, deviation), true);
  view.setBigInt64(2_288, deviation >> 64n, true);
  view.setBigUint64(2_368, change.slot ?? 975n, true);
  return data;
}
