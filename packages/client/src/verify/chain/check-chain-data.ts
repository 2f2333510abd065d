import { isAddress } from '../bytes/base58.ts';
import type { LookupTables } from '../bytes/resolve-accounts.ts';
import type { ChainData } from './chain-data.ts';

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);

const address: Check = (value) => typeof value === 'string' && isAddress(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
/** A whole number as a string. The difference with the fees of a reserve can be below zero. */
const digits: Check = (value) => typeof value === 'string' && /^-?\d{1,90}$/.test(value);
const small: Check = (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && Array.from<unknown>(value).every(check);
const byAddress =
  (check: Check): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(value).every(([key, entry]) => isAddress(key) && check(entry));
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(checks).every(
      ([name, check]) => Object.hasOwn(value, name) && check(value[name]),
    );
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const reserve = fields({
  program: address,
  market: address,
  mint: address,
  tokenProgram: address,
  decimals: small,
  supplyVault: address,
  feeVault: address,
  collateralMint: address,
  collateralVault: address,
  farmCollateral: nullable(address),
  farmDebt: nullable(address),
  oracles: listOf(nullable(address)),
  collateralSupply: digits,
  liquiditySupplySf: digits,
  priceSf: digits,
  borrowFactorPct: digits,
  originationFeeSf: digits,
  cumulativeBorrowRateSf: digits,
});

const vault = fields({
  program: address,
  tokenMint: address,
  tokenProgram: address,
  tokenDecimals: small,
  sharesDecimals: small,
  tokenVault: address,
  sharesMint: address,
  authority: address,
  farm: nullable(address),
  permissioningAuthority: nullable(address),
  sharesIssued: digits,
  tokenAvailable: digits,
  pendingFeesSf: digits,
  depositCap: digits,
  crankFee: digits,
  withdrawalPenaltyBps: digits,
  withdrawalPenaltyUnits: digits,
  allocations: listOf(fields({ reserve: address, ctokenVault: address, ctokens: digits })),
});

const shares = fields({ inWallet: digits, stakedScaled: digits, unstakedScaled: digits });

const loan = fields({
  program: address,
  owner: address,
  market: address,
  deposits: listOf(address),
  borrows: listOf(address),
  depositedCtokens: byAddress(digits),
  debts: byAddress(fields({ borrowedSf: digits, cumulativeBorrowRateSf: digits })),
  referrer: nullable(address),
  elevationGroup: small,
});

const reward = fields({ mint: address, tokenProgram: address, vault: address });

const farm = fields({
  program: address,
  mint: address,
  tokenProgram: address,
  globalConfig: address,
  vault: address,
  authority: address,
  scopePrices: nullable(address),
  totalStakeScaled: digits,
  totalStaked: digits,
  pendingScaled: digits,
  pendingAmount: digits,
  rewards: listOf(reward),
});

const parts: Readonly<Record<string, Check>> = {
  reserves: isOptional(byAddress(reserve)),
  vault: isOptional(vault),
  shares: isOptional(shares),
  loan: isOptional(nullable(loan)),
  farms: isOptional(byAddress(farm)),
};

/** Undefined if it does not have the form of chain data, or has something that is not known. */
export function readChainDataInput(value: unknown): ChainData | undefined {
  if (value === undefined) return {};
  const isValid =
    isObject(value) &&
    Object.entries(value).every(
      ([name, part]) => Object.hasOwn(parts, name) && parts[name]?.(part),
    );
  // every part has been checked
  return isValid ? (value as ChainData) : undefined;
}

/** Undefined if it is not a list of addresses for each table. */
export function readTablesInput(value: unknown): LookupTables | undefined {
  if (value === undefined) return {};
  return byAddress(listOf(address))(value) ? (value as LookupTables) : undefined;
}
