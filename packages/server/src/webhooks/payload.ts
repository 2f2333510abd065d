import { randomBytes } from 'node:crypto';
import { type ChainTime, formatInstant } from '@tidegate/core/base';
import type { NewDelivery } from '../history/hooks/delivery-writes.ts';
import type { MeasuredCluster } from './measures.ts';

/** Increases when the meaning of a field changes. Fields may be added. */
const PAYLOAD_VERSION = 1;

/** Types of deliveries, as `type` in a payload. */
export const DELIVERY_TYPES = {
  loanHealth: 'loan.health.crossed',
  liquidation: 'loan.liquidated',
  vaultApy: 'vault.apy.crossed',
  vaultLiquidity: 'vault.liquidity.crossed',
  reservePrice: 'reserve.price.crossed',
  reserveCap: 'reserve.cap.crossed',
  walletTransactions: 'wallet.transaction',
  programUpgraded: 'program.upgraded',
} as const;

export const TEST_TYPE = 'test';
/** After the type of what was rolled back. */
export const ROLLED_BACK_SUFFIX = '.rolledBack';

type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];
export type JsonObject = { readonly [name: string]: JsonValue };

type DeliveryInput = {
  readonly hook: string;
  readonly type: string;
  /** Unique per hook. */
  readonly key: string;
  /** Slot and time that the data is of. */
  readonly at: ChainTime;
  readonly data: JsonObject;
  /** By default a new one. */
  readonly id?: string;
};

export type CreateDelivery = (input: DeliveryInput) => NewDelivery;

export const newDeliveryId = (): string => `msg_${randomBytes(16).toString('hex')}`;
export const newHookId = (): string => `hook_${randomBytes(12).toString('hex')}`;

/** Creates deliveries of a cluster. The body is stored as text: every attempt signs and sends the same bytes. */
export function createDeliveryFactory(
  { env, commitment }: Pick<MeasuredCluster, 'env' | 'commitment'>,
  clock: () => number,
): CreateDelivery {
  return ({ hook, type, key, at, data, id = newDeliveryId() }) => {
    const now = clock();
    const body = JSON.stringify({
      type,
      version: PAYLOAD_VERSION,
      timestamp: new Date(now).toISOString(),
      hook,
      env,
      commitment,
      slot: at.slot.toString(),
      blockTime: formatInstant(at.unix),
      data,
    });
    const created_at = BigInt(now);
    return { id, hook, event_key: key, type, slot: at.slot, at: at.unix, created_at, body };
  };
}
