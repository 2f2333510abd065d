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
/** The head that never moves; behind it come optional fields, all of them absent when they are zero. */
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
  rest: padding(329),
});

/** SOL that stands behind one pool token at the end of what is played, times 10^9. */
const RATES = { JitoSOL: 1_231_847_205n, bSOL: 1_268_402_911n } as const;

type StakedSymbol = keyof typeof RATES;

/** Decimals of a stake rate among the oracle's prices. */
export const STAKE_RATE_EXPONENT = 15n;

/** The kind of oracle whose prices are such rates. */
export const SPL_STAKE_PRICE_TYPE = 5;

export const isStakePoolToken = (symbol: string): symbol is StakedSymbol =>
  Object.hasOwn(RATES, symbol);

export const stakePoolAddress = (keys: SeededKeys, symbol: StakedSymbol): Address =>
  keys(`stake pool/${symbol}`);

/** A pool as it was some days before the end. */
type PoolThen = { readonly symbol: StakedSymbol; readonly days: number };

/** Lamports for 10^15 pool tokens, rounded down: what the oracle says of a pool without fees. */
export function stakeRateValue(pool: PoolThen): bigint {
  const { totalLamports, poolTokenSupply } = poolAmounts(pool);
  return (totalLamports * 10n ** STAKE_RATE_EXPONENT) / poolTokenSupply;
}

export function encodeStakePool(
  keys: SeededKeys,
  pool: PoolThen & { readonly slot: Slot },
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

/** The bytes of a pool that has earned. */
export function withTotalLamports(data: Uint8Array, totalLamports: bigint): Uint8Array {
  const after = data.slice();
  u64.encode(new DataView(after.buffer), stakePool.offsets.totalLamports, totalLamports);
  return after;
}

function poolAmounts({ symbol, days }: PoolThen) {
  const poolTokenSupply = baseUnits(tokenBySymbol(symbol));
  const epochs = (BigInt(days) * EPOCHS_PER_DAY.numerator) / EPOCHS_PER_DAY.denominator;
  const atEnd = (poolTokenSupply * RATES[symbol]) / 10n ** 9n;
  return { poolTokenSupply, totalLamports: discounted(atEnd, epochs) };
}

/** What grows into the amount in so many epochs. */
function discounted(amount: bigint, epochs: bigint): bigint {
  let then = amount;
  for (let epoch = 0n; epoch < epochs; epoch++) {
    then = (then * 1_000_000n) / (1_000_000n + STAKE_YIELD_PPM_PER_EPOCH);
  }
  return then;
}

const baseUnits = ({ supply, decimals }: GenesisToken): bigint => supply * 10n ** BigInt(decimals);
