import {
  type Address,
  type Decoded,
  padding,
  pubkey,
  type Slot,
  struct,
  toAddress,
  u8,
  u64,
} from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { SeededKeys } from '../seed/seeded-keys.ts';
import { type GenesisToken, tokenBySymbol } from '../specs/token-specs.ts';
import { emptyAccount } from './empty-account.ts';

export const STAKE_POOL_PROGRAM = toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');

const SLOTS_PER_EPOCH = 432_000n;
const STAKE_POOL = 1;
/** Optional fields are absent, so that their tags and the values between them are zero. */
const stakePool = struct({
  accountType: u8,
  manager: pubkey,
  staker: pubkey,
  stakeDepositAuthority: pubkey,
  stakeWithdrawBumpSeed: u8,
  validatorList: pubkey,
  reserveStake: pubkey,
  poolMint: pubkey,
  managerFeeAccount: pubkey,
  tokenProgramId: pubkey,
  totalLamports: u64,
  poolTokenSupply: u64,
  lastUpdateEpoch: u64,
  absentFields: padding(137),
  lastEpochPoolTokenSupply: u64,
  lastEpochTotalLamports: u64,
  rest: padding(176),
});

/** SOL per pool token at the end of the simulation, times 10^9. */
const RATES = { JitoSOL: 1_231_847_205n, bSOL: 1_268_402_911n } as const;

export type StakedSymbol = keyof typeof RATES;

/** Decimals of a stake rate in the oracle. */
export const STAKE_RATE_EXPONENT = 15n;

/** Oracle type of stake rates. */
export const SPL_STAKE_PRICE_TYPE = 5;

export const isStakePoolToken = (symbol: string): symbol is StakedSymbol =>
  Object.hasOwn(RATES, symbol);

/** The oracle has a market price of these tokens; of others it has the rate of the pool. */
export const isMarketPriced = (symbol: StakedSymbol): boolean => symbol === 'bSOL';

export const stakePoolAddress = (keys: SeededKeys, symbol: StakedSymbol): Address =>
  keys(`stake pool/${symbol}`);

/** A pool some days before the end of the simulation. */
type PoolAtTime = { readonly symbol: StakedSymbol; readonly days: number };

type PoolAmounts = { readonly totalLamports: bigint; readonly poolTokenSupply: bigint };

/** Lamports per 10^15 pool tokens, rounded down: the oracle's rate of a pool without fees. */
export const stakeRateValue = (pool: PoolAtTime): bigint => stakeRateOf(poolAmounts(pool));

export const stakeRateOf = ({ totalLamports, poolTokenSupply }: PoolAmounts): bigint =>
  (totalLamports * 10n ** STAKE_RATE_EXPONENT) / poolTokenSupply;

export function encodeStakePool(
  keys: SeededKeys,
  pool: PoolAtTime & { readonly slot: Slot },
): Uint8Array {
  const { symbol, slot } = pool;
  const role = (name: string): Address => keys(`stake pool/${symbol}/${name}`);
  const fields: Decoded<typeof stakePool> = {
    ...emptyAccount(stakePool),
    ...poolAmounts(pool),
    accountType: STAKE_POOL,
    manager: role('manager'),
    staker: role('staker'),
    stakeDepositAuthority: role('deposit authority'),
    validatorList: role('validators'),
    reserveStake: role('reserve'),
    poolMint: tokenBySymbol(symbol).mint,
    managerFeeAccount: role('fees'),
    tokenProgramId: TOKEN_PROGRAM,
    lastUpdateEpoch: slot / SLOTS_PER_EPOCH,
  };
  const data = new Uint8Array(stakePool.size);
  stakePool.encode(new DataView(data.buffer), 0, fields);
  return data;
}

/** Pools earn about seven percent a year. */
export const STAKE_YIELD_PPM_PER_EPOCH = 380n;
const EPOCHS_PER_DAY = { numerator: 1n, denominator: 2n };

type EpochUpdate = {
  readonly epoch: bigint;
  readonly totalLamports: bigint;
  /** In the epoch before. */
  readonly previousLamports: bigint;
};

/** A pool after the update of an epoch, as the stake pool program does it. */
export function withEpochUpdate(
  data: Uint8Array,
  { epoch, totalLamports, previousLamports }: EpochUpdate,
): Uint8Array {
  const before = stakePool.decode(new DataView(data.buffer, data.byteOffset, data.length), 0);
  const after = data.slice();
  stakePool.encode(new DataView(after.buffer), 0, {
    ...before,
    lastEpochPoolTokenSupply: before.poolTokenSupply,
    lastEpochTotalLamports: previousLamports,
    totalLamports,
    lastUpdateEpoch: epoch,
  });
  return after;
}

function poolAmounts({ symbol, days }: PoolAtTime): PoolAmounts {
  const poolTokenSupply = baseUnits(tokenBySymbol(symbol));
  const epochs = (BigInt(days) * EPOCHS_PER_DAY.numerator) / EPOCHS_PER_DAY.denominator;
  const atEnd = (poolTokenSupply * RATES[symbol]) / 10n ** 9n;
  return { poolTokenSupply, totalLamports: discounted(atEnd, epochs) };
}

/** The amount before that many epochs of yield. */
function discounted(amount: bigint, epochs: bigint): bigint {
  let value = amount;
  for (let epoch = 0n; epoch < epochs; epoch++) {
    value = (value * 1_000_000n) / (1_000_000n + STAKE_YIELD_PPM_PER_EPOCH);
  }
  return value;
}

const baseUnits = ({ supply, decimals }: GenesisToken): bigint => supply * 10n ** BigInt(decimals);
