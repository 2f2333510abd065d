import type { DatabaseFeatures, Migration } from './migration.ts';

const MINUTES_CHUNK_SECONDS = 30 * 86_400;

const u64 = 'numeric(20, 0) not null';
const u128 = 'numeric(39, 0) not null';
const u256 = 'numeric(78, 0) not null';
/** Times 10^36. */
const fraction = 'numeric not null';
const maybeFraction = 'numeric';
const maybeU64 = 'numeric(20, 0)';
const maybeU128 = 'numeric(39, 0)';
const id = 'int4 not null';
const time = 'int8 not null';

type Shape = { readonly key: string; readonly columns: string };

const series: Readonly<Record<string, Shape>> = {
  reserve: {
    key: 'subject, bucket',
    columns: `subject ${id}, bucket ${time}, at ${time}, slot ${time}, config ${id},
      available ${u64}, borrowed_sf ${u128}, protocol_fees_sf ${u128}, referrer_fees_sf ${u128},
      pending_referrer_fees_sf ${u128}, collateral_supply ${u64}, cumulative_borrow_rate ${u256},
      price_sf ${u128}, price_at ${time}, oracle_price_sf ${maybeU128},
      deposit_limit_crossed_at ${time}, borrow_limit_crossed_at ${time}`,
  },
  market: {
    key: 'subject, bucket',
    columns: `subject ${id}, bucket ${time}, at ${time}, slot ${time},
      deposit_tvl ${fraction}, borrow_tvl ${fraction}, obligations int4 not null`,
  },
  price: {
    key: 'subject, bucket',
    columns: `subject ${id}, bucket ${time}, at ${time}, slot ${time}, price_sf ${u128}`,
  },
  stake_rate: {
    key: 'subject, bucket',
    columns: `subject ${id}, bucket ${time}, at ${time}, slot ${time}, lamports ${u64}, tokens ${u64}`,
  },
  vault: {
    key: 'subject, bucket',
    columns: `subject ${id}, bucket ${time}, at ${time}, slot ${time},
      mint ${id}, farm int4, token_decimals int4 not null, shares_decimals int4 not null,
      available ${u64}, shares_issued ${u64}, held_sf ${u128}, aum_sf ${u128},
      pending_fees_sf ${u128}, interest_sf ${u128}, management_fee_sf ${u128},
      performance_fee_sf ${u128}, holders int4 not null, price_sf ${maybeU128},
      sol_price_sf ${maybeU128}, theoretical_apr ${fraction}, actual_apr ${fraction},
      farm_rewards_apr ${fraction}, reserves_incentives_apr ${fraction},
      interest_per_second ${fraction}, interest_usd ${fraction}, interest_sol ${fraction},
      management_fee_usd ${fraction}, management_fee_sol ${fraction},
      performance_fee_usd ${fraction}, performance_fee_sol ${fraction},
      farm_rewards_usd ${fraction}, farm_rewards_sol ${fraction},
      reserve_rewards_usd ${fraction}, reserve_rewards_sol ${fraction},
      reserves int4[] not null, invested_sf numeric(39, 0)[] not null,
      supply_aprs_sf numeric(39, 0)[] not null, reward_aprs_sf numeric(39, 0)[] not null`,
  },
  reward: {
    key: 'subject, mint, bucket',
    columns: `subject ${id}, mint ${id}, bucket ${time}, at ${time}, slot ${time},
      rate ${fraction}, issued ${u128}, price_sf ${maybeU128}, positions_usd ${fraction},
      apr ${fraction}`,
  },
};

function seriesStatements({ hasTimescale }: DatabaseFeatures): string[] {
  return Object.entries(series).flatMap(([name, { key, columns }]) => {
    const table = (resolution: string) =>
      `create table ${name}_${resolution} (${columns}, primary key (${key}))`;
    const minutes = hasTimescale
      ? [
          table('minute'),
          `select create_hypertable('${name}_minute', 'bucket', chunk_time_interval => ${MINUTES_CHUNK_SECONDS})`,
        ]
      : [`${table('minute')} partition by range (bucket)`];
    return [...minutes, table('hour'), table('day')];
  });
}

const configs = [
  `create table reserve_config (
    id int4 generated always as identity primary key,
    subject ${id}, sha256 bytea not null, deflated bytea not null, unique (subject, sha256))`,
];

const happened = `signature bytea not null, path bytea not null, leg int2 not null,
  slot ${time}, place int4 not null, at ${time}, kind int2 not null`;

/** Not in parts by time: a signature is to be known once, whatever time a fork gave it. */
const events = [
  `create table lending_event (${happened},
    wallet int4, market ${id}, obligation int4, reserve int4, other_reserve int4,
    mint int4, payer int4, elevation_group int4,
    liquidity_amount ${maybeU64}, collateral_amount ${maybeU64}, redeemed_amount ${maybeU64},
    debt_amount ${maybeU64}, fee_amount ${maybeU64},
    price_sf ${maybeU128}, sol_price_sf ${maybeU128}, other_price_sf ${maybeU128},
    stake_rate ${maybeFraction}, other_stake_rate ${maybeFraction},
    primary key (signature, path, leg))`,
  `create table vault_event (${happened},
    wallet int4, vault ${id}, reserve int4,
    token_amount ${maybeU64}, shares_amount ${maybeU64}, collateral_amount ${maybeU64},
    crank_amount ${maybeU64}, rounding_loss_amount ${maybeU64}, other_wallet int4,
    price_sf ${maybeU128}, sol_price_sf ${maybeU128}, tokens_per_share ${maybeFraction},
    primary key (signature, path, leg))`,
  `create table farm_event (${happened},
    wallet int4, farm ${id}, vault int4, obligation int4, user_state int4, other_wallet int4, other_user_state int4, mint int4,
    amount ${maybeU128}, fee_amount ${maybeU64}, price_sf ${maybeU128}, sol_price_sf ${maybeU128},
    primary key (signature, path, leg))`,
];

const eventSubjects = [
  ['lending_event', ['wallet', 'obligation', 'reserve']],
  ['vault_event', ['wallet', 'vault', 'kind']],
  ['farm_event', ['wallet', 'farm', 'user_state', 'other_wallet']],
] as const;

const eventIndexes = eventSubjects.flatMap(([table, columns]) =>
  columns.map(
    (column) => `create index on ${table} (${column}, at, slot, place) where ${column} is not null`,
  ),
);

const after = `slot ${time}, at ${time}`;

const states = [
  `create table obligation_state (obligation ${id}, ${after}, wallet ${id}, deflated bytea,
    primary key (obligation, slot))`,
  'create index on obligation_state (wallet)',
  `create table vault_holding (wallet ${id}, vault ${id}, ${after}, held ${u64}, staked ${u64},
    primary key (wallet, vault, slot))`,
  'create index on vault_holding (vault)',
  `create table farm_stake (user_state ${id}, ${after}, wallet ${id}, farm ${id}, stake ${u128},
    primary key (user_state, slot))`,
  'create index on farm_stake (wallet)',
];

const lookups = [
  `create table address (
    id int4 generated always as identity primary key,
    bytes bytea not null unique check (length(bytes) = 32))`,
  `create table raw_step (slot ${time}, part int4 not null, at ${time}, deflated bytea not null,
    primary key (slot, part))`,
  `create table raw_transaction (signature bytea primary key, slot ${time}, place int4 not null,
    at ${time}, deflated bytea not null)`,
  'create index on raw_transaction (slot, place)',
  'create table origin (name text primary key, value text not null)',
  `create table checkpoint (name text primary key, slot ${time}, at ${time})`,
  `create table gap (name text not null, since ${time}, until ${time}, primary key (name, since))`,
];

export const initialMigration: Migration = {
  name: '0001-initial',
  statements: (facts) => [
    ...lookups,
    ...configs,
    ...seriesStatements(facts),
    ...events,
    ...eventIndexes,
    ...states,
  ],
};
