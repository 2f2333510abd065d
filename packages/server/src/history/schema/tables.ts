import type { Generated } from 'kysely';
import type { DriverRow } from './columns.ts';
import type {
  eventColumns,
  stateColumns,
  stepColumns,
  transactionColumns,
} from './event-tables.ts';
import type { HookTables } from './hook-tables.ts';
import type { Resolution, seriesColumns } from './series-tables.ts';

type Series<Kind extends keyof typeof seriesColumns> = DriverRow<(typeof seriesColumns)[Kind]> & {
  readonly bucket: bigint;
};

type SeriesTables = Record<`reserve_${Resolution}`, Series<'reserve'>> &
  Record<`market_${Resolution}`, Series<'market'>> &
  Record<`price_${Resolution}`, Series<'price'>> &
  Record<`stake_rate_${Resolution}`, Series<'stakeRate'>> &
  Record<`vault_${Resolution}`, Series<'vault'>> &
  Record<`reward_${Resolution}`, Series<'reward'>>;

type ConfigVersion = {
  readonly id: Generated<number>;
  readonly subject: number;
  readonly sha256: Uint8Array;
  readonly deflated: Uint8Array;
};

/** Rows as the drivers return them: `int8` as bigint, `numeric` as string. */
export type HistoryTables = SeriesTables &
  HookTables & {
    readonly migration: { readonly name: string; readonly position: number };
    readonly address: { readonly id: Generated<number>; readonly bytes: Uint8Array };
    readonly checkpoint: { readonly name: string; readonly slot: bigint; readonly at: bigint };
    readonly gap: { readonly name: string; readonly since: bigint; readonly until: bigint };
    /** Positions whose events do not explain their states. Addresses are text: there are few rows. */
    readonly position_gap: {
      readonly kind: string;
      readonly position: string;
      readonly wallet: string;
      /** Market, vault or farm. */
      readonly place: string | null;
      readonly slot: bigint;
      readonly at: bigint;
      readonly found_at: bigint;
      readonly difference: string;
    };
    readonly reserve_config: ConfigVersion;
    /** Account changes. With `raw_transaction` they are enough to derive all other rows again. */
    readonly raw_step: DriverRow<typeof stepColumns>;
    /** Accounts as of the last pruned step. */
    readonly raw_account: {
      readonly address: Uint8Array;
      readonly size: number;
      readonly deflated: Uint8Array;
    };
    readonly raw_transaction: DriverRow<typeof transactionColumns>;
    /** Identifies the cluster that the history belongs to. */
    readonly origin: { readonly name: string; readonly value: string };
    readonly lending_event: DriverRow<typeof eventColumns.lendingEvent>;
    readonly vault_event: DriverRow<typeof eventColumns.vaultEvent>;
    readonly farm_event: DriverRow<typeof eventColumns.farmEvent>;
    readonly obligation_state: DriverRow<typeof stateColumns.obligationState>;
    readonly vault_holding: DriverRow<typeof stateColumns.vaultHolding>;
    readonly farm_stake: DriverRow<typeof stateColumns.farmStake>;
  };
