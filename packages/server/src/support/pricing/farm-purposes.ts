import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type FarmPurpose, farmPurposes } from '@tidegate/core/views/portfolio';

/** Purpose of each farm that a reserve or a vault of the cluster refers to. */
export function readFarmPurposes(reader: ClusterReader): ReadonlyMap<Address, FarmPurpose> {
  const reserves = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  return farmPurposes({ reserves, vaults: reader.vaults() });
}
