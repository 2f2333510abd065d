import { addressAt } from '../bytes/base58.ts';
import { readUint } from '../bytes/byte-reader.ts';
import {
  FARMS_PROGRAM,
  KLEND_PROGRAMS,
  KVAULT_PROGRAMS,
  UNSET_ADDRESSES,
} from '../bytes/programs.ts';
import type { FarmData, LoanData, ReserveData, ShareData, VaultData } from './chain-data.ts';
import type { ReadAccount } from './read-accounts.ts';

/** How an account of a kind is recognized: its programs, first eight bytes and size. */
type AccountKind = {
  readonly programs: readonly string[];
  readonly discriminator: bigint;
  readonly size: number;
};

const reserveKind: AccountKind = {
  programs: KLEND_PROGRAMS,
  discriminator: 0x7f3bf71acaccf22bn,
  size: 8624,
};
const loanKind: AccountKind = {
  programs: KLEND_PROGRAMS,
  discriminator: 0xa7ac4c586a8dcea8n,
  size: 3344,
};
const vaultKind: AccountKind = {
  programs: KVAULT_PROGRAMS,
  discriminator: 0x98ebd262a552c4e4n,
  size: 62552,
};
const vaultConfigKind: AccountKind = {
  programs: KVAULT_PROGRAMS,
  discriminator: 0xd0fca0cb9d089095n,
  size: 1032,
};
const farmKind: AccountKind = {
  programs: [FARMS_PROGRAM],
  discriminator: 0xbea3423f4ad866c6n,
  size: 8336,
};

const stakeKind: AccountKind = {
  programs: [FARMS_PROGRAM],
  discriminator: 0x7ebaa74cf955b148n,
  size: 920,
};

const isOfKind = (
  account: ReadAccount | undefined,
  { programs, discriminator, size }: AccountKind,
): account is ReadAccount =>
  account !== undefined &&
  programs.includes(account.owner) &&
  account.data.length >= size &&
  readUint(account.data, 0, 8) === discriminator;

/** Null for an address that means that there is none. */
function optionalAt(data: Uint8Array, offset: number): string | null {
  const address = addressAt(data, offset);
  return UNSET_ADDRESSES.includes(address) ? null : address;
}

const u64At = (data: Uint8Array, offset: number): bigint => readUint(data, offset, 8);
const u128At = (data: Uint8Array, offset: number): bigint => readUint(data, offset, 16);

const FRACTION_BITS = 60n;

export function decodeReserve(account: ReadAccount | undefined): ReserveData | undefined {
  if (!isOfKind(account, reserveKind)) return undefined;
  const { data, owner } = account;
  const fees = u128At(data, 344) + u128At(data, 360) + u128At(data, 376);
  const supply = (u64At(data, 224) << FRACTION_BITS) + u128At(data, 232) - fees;
  const switchboard = optionalAt(data, 5160);
  return {
    program: owner,
    market: addressAt(data, 32),
    mint: addressAt(data, 128),
    tokenProgram: addressAt(data, 408),
    decimals: Number(u64At(data, 272)),
    supplyVault: addressAt(data, 160),
    feeVault: addressAt(data, 192),
    collateralMint: addressAt(data, 2560),
    collateralVault: addressAt(data, 2600),
    farmCollateral: optionalAt(data, 64),
    farmDebt: optionalAt(data, 96),
    // without a price aggregator the program accepts no TWAP aggregator either
    oracles: [
      optionalAt(data, 5224),
      switchboard,
      switchboard && optionalAt(data, 5192),
      optionalAt(data, 5112),
    ],
    collateralSupply: u64At(data, 2592).toString(),
    liquiditySupplySf: supply.toString(),
    priceSf: u128At(data, 248).toString(),
    borrowFactorPct: u64At(data, 5008).toString(),
    originationFeeSf: u64At(data, 4896).toString(),
    cumulativeBorrowRateSf: readUint(data, 296, 32).toString(),
  };
}

export function decodeLoan(account: ReadAccount | undefined): LoanData | undefined {
  if (!isOfKind(account, loanKind)) return undefined;
  const { data, owner } = account;
  const entriesAt = (offset: number, stride: number, count: number) =>
    Array.from({ length: count }, (_, i) => offset + i * stride).flatMap((at) => {
      const reserve = optionalAt(data, at);
      return reserve === null ? [] : [{ reserve, at }];
    });
  const deposits = entriesAt(96, 136, 8);
  const borrows = entriesAt(1208, 200, 5);
  return {
    program: owner,
    market: addressAt(data, 32),
    owner: addressAt(data, 64),
    deposits: deposits.map(({ reserve }) => reserve),
    borrows: borrows.map(({ reserve }) => reserve),
    depositedCtokens: Object.fromEntries(
      deposits.map(({ reserve, at }) => [reserve, u64At(data, at + 32).toString()]),
    ),
    debts: Object.fromEntries(
      borrows.map(({ reserve, at }) => [
        reserve,
        {
          borrowedSf: u128At(data, at + 88).toString(),
          cumulativeBorrowRateSf: readUint(data, at + 32, 32).toString(),
        },
      ]),
    ),
    referrer: optionalAt(data, 2288),
    elevationGroup: data[2285] ?? 0,
  };
}

const MAX_ALLOCATIONS = 25;
/** Means no limit, as 0 does. */
const U64_MAX = 2n ** 64n - 1n;

export function decodeVault(account: ReadAccount | undefined): VaultData | undefined {
  if (!isOfKind(account, vaultKind)) return undefined;
  const { data, owner } = account;
  const offsets = Array.from({ length: MAX_ALLOCATIONS }, (_, i) => 312 + i * 2160).filter(
    (offset) => optionalAt(data, offset) !== null,
  );
  // of the reserves that have a weight and may hold tokens
  const crankFees = offsets.filter(
    (offset) => u64At(data, offset + 64) > 0n && u64At(data, offset + 72) > 0n,
  );
  return {
    program: owner,
    authority: addressAt(data, 40),
    tokenMint: addressAt(data, 80),
    tokenDecimals: Number(u64At(data, 112)),
    tokenVault: addressAt(data, 120),
    tokenProgram: addressAt(data, 152),
    sharesMint: addressAt(data, 184),
    sharesDecimals: Number(u64At(data, 216)),
    farm: optionalAt(data, 58600),
    permissioningAuthority: optionalAt(data, 58840),
    sharesIssued: u64At(data, 232).toString(),
    tokenAvailable: u64At(data, 224).toString(),
    pendingFeesSf: u128At(data, 296).toString(),
    depositCap: (u64At(data, 58736) % U64_MAX).toString(),
    crankFee: (u64At(data, 58440) * BigInt(crankFees.length)).toString(),
    withdrawalPenaltyUnits: u64At(data, 58680).toString(),
    withdrawalPenaltyBps: u64At(data, 58688).toString(),
    allocations: offsets.map((offset) => ({
      reserve: addressAt(data, offset),
      ctokenVault: addressAt(data, offset + 32),
      ctokens: u64At(data, offset + 1104).toString(),
    })),
  };
}

/** The larger penalty of a vault and of its program applies. */
export function withGlobalPenalty(
  vault: VaultData,
  globalConfig: ReadAccount | undefined,
): VaultData {
  if (!isOfKind(globalConfig, vaultConfigKind) || globalConfig.owner !== vault.program) {
    return vault;
  }
  const { data } = globalConfig;
  return {
    ...vault,
    withdrawalPenaltyUnits: larger(vault.withdrawalPenaltyUnits, u64At(data, 72)),
    withdrawalPenaltyBps: larger(vault.withdrawalPenaltyBps, u64At(data, 80)),
  };
}

const larger = (text: string, other: bigint): string =>
  (BigInt(text) > other ? BigInt(text) : other).toString();

export function decodeFarm(account: ReadAccount | undefined): FarmData | undefined {
  if (!isOfKind(account, farmKind)) return undefined;
  const { data, owner } = account;
  const count = Math.min(Number(u64At(data, 7232)), 10);
  return {
    program: owner,
    globalConfig: addressAt(data, 40),
    mint: addressAt(data, 72),
    tokenProgram: addressAt(data, 112),
    vault: addressAt(data, 7256),
    authority: addressAt(data, 7288),
    scopePrices: optionalAt(data, 7536),
    totalStakeScaled: u128At(data, 7408).toString(),
    totalStaked: u64At(data, 7248).toString(),
    pendingScaled: u128At(data, 7424).toString(),
    pendingAmount: u64At(data, 7440).toString(),
    rewards: Array.from({ length: count }, (_, i) => 192 + i * 704).map((offset) => ({
      mint: addressAt(data, offset),
      tokenProgram: addressAt(data, offset + 40),
      vault: addressAt(data, offset + 120),
    })),
  };
}

const TOKEN_ACCOUNT_BYTES = 165;

/** A missing account holds nothing. */
export function decodeShares(
  tokenAccount: ReadAccount | undefined,
  stake: ReadAccount | undefined,
): ShareData {
  const hasTokens = tokenAccount !== undefined && tokenAccount.data.length >= TOKEN_ACCOUNT_BYTES;
  const isStaked = isOfKind(stake, stakeKind);
  return {
    inWallet: (hasTokens ? u64At(tokenAccount.data, 64) : 0n).toString(),
    stakedScaled: (isStaked ? u128At(stake.data, 408) : 0n).toString(),
    unstakedScaled: (isStaked ? u128At(stake.data, 448) : 0n).toString(),
  };
}
