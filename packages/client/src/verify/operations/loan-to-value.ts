import type { ChainData, LoanData, ReserveData } from '../chain/chain-data.ts';
import { type Amount, parseUnits } from './amounts.ts';
import type { Findings } from './findings.ts';

export const LTV_DECIMALS = 18;

/** What a transaction changes of a loan, by reserve: cTokens that it withdraws, otherwise smallest units of the token. */
export type LoanChanges = {
  readonly withdrawn?: ReadonlyMap<string, Amount>;
  readonly repaid?: ReadonlyMap<string, Amount>;
  readonly deposited?: ReadonlyMap<string, bigint>;
  readonly borrowed?: ReadonlyMap<string, bigint>;
};

type LimitInput = {
  /** The most that the loan-to-value ratio may be afterwards, as a fraction. Undefined if the request has no limit. */
  readonly maxLtv: string | number | undefined;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

/** Debts of the chain data that a transaction does not repay limit what it may withdraw. */
export function checkLoanToValue(changes: LoanChanges, input: LimitInput): void {
  const { maxLtv, chainData, findings } = input;
  const { withdrawn = new Map(), repaid = new Map(), borrowed = new Map() } = changes;
  const most = maxLtv === undefined ? undefined : parseUnits(String(maxLtv), LTV_DECIMALS);
  if (withdrawn.size === 0 && most === undefined) return;
  // a loan that does not exist yet has what the transaction adds
  const loan = chainData.loan ?? (chainData.loan === null && borrowed.size > 0 ? NEW_LOAN : null);
  if (loan === null) {
    if (most === undefined) return;
    findings.add('MISSING_CHAIN_DATA', 'maxLtv needs the chain data of the loan.');
    return;
  }
  const debts = loan.borrows.filter((reserve) => repaid.get(reserve) !== 'all');
  if (debts.length + borrowed.size === 0) return;
  if (most === undefined) {
    const message =
      'Collateral is withdrawn, and the loan has debts that the transaction does not repay. State the highest loan-to-value ratio that the loan may have then: maxLtv.';
    findings.add('UNREPAID_DEBT', message);
    return;
  }
  const values = valuesAfter(loan, changes, chainData.reserves ?? {});
  if (values === undefined) {
    const message = 'maxLtv needs the chain data of each reserve of the loan, with a price.';
    findings.add('MISSING_CHAIN_DATA', message);
  } else if (values.debt * ONE_LTV > most * values.deposits) {
    const message = `The loan-to-value ratio would be about ${percent(values)} %; the limit is ${maxLtv}.`;
    findings.add('LTV_TOO_HIGH', message);
  }
}

type Positions = Pick<
  LoanData,
  'deposits' | 'borrows' | 'depositedCtokens' | 'debts' | 'elevationGroup'
>;

const NEW_LOAN: Positions = {
  deposits: [],
  borrows: [],
  depositedCtokens: {},
  debts: {},
  elevationGroup: 0,
};

const ONE_LTV = 10n ** BigInt(LTV_DECIMALS);
const FRACTION_BITS = 60n;
/** Interest and prices since the chain data was read: debts count for one percent more, deposits for one less. */
const HUNDRED = 100n;

type Values = { readonly deposits: bigint; readonly debt: bigint };

const percent = ({ deposits, debt }: Values): string =>
  deposits === 0n ? 'more than 100' : ((debt * HUNDRED) / deposits).toString();

/** Dollars times 2^120. Undefined if something is not known. */
function valuesAfter(
  loan: Positions,
  { withdrawn, repaid, deposited, borrowed }: LoanChanges,
  reserves: Readonly<Record<string, ReserveData>>,
): Values | undefined {
  const isInGroup = loan.elevationGroup > 0;
  let [deposits, debt] = [0n, 0n];
  for (const reserve of loan.deposits) {
    const data = reserves[reserve];
    if (data === undefined) return undefined;
    const held = BigInt(loan.depositedCtokens[reserve] ?? '0');
    deposits += depositValue(left(held, withdrawn?.get(reserve)), data);
  }
  for (const reserve of loan.borrows) {
    const data = reserves[reserve];
    const { borrowedSf, cumulativeBorrowRateSf } = loan.debts[reserve] ?? {};
    const isKnown = data !== undefined && borrowedSf !== undefined;
    if (!isKnown || cumulativeBorrowRateSf === undefined || BigInt(data.priceSf) === 0n) {
      return undefined;
    }
    const owed = grown(BigInt(borrowedSf), BigInt(cumulativeBorrowRateSf), data);
    const amount = repaid?.get(reserve);
    const remaining = left(owed, amount === 'all' ? 'all' : (amount ?? 0n) << FRACTION_BITS);
    debt += debtValue(remaining, data, isInGroup);
  }
  for (const [reserve, units] of deposited ?? []) {
    const data = reserves[reserve];
    if (data === undefined) return undefined;
    deposits += marketValue(units << FRACTION_BITS, data);
  }
  for (const [reserve, units] of borrowed ?? []) {
    const data = reserves[reserve];
    if (data === undefined || BigInt(data.priceSf) === 0n) return undefined;
    debt += debtValue(borrowedWithFee(units, data), data, isInGroup);
  }
  return { deposits: (deposits * 99n) / HUNDRED, debt: (debt * 101n) / HUNDRED + 1n };
}

const left = (held: bigint, taken: Amount = 0n): bigint =>
  taken === 'all' || taken > held ? 0n : held - taken;

/** One to one in an empty reserve. */
function depositValue(ctokens: bigint, data: ReserveData): bigint {
  const [supply, liquidity] = [BigInt(data.collateralSupply), BigInt(data.liquiditySupplySf)];
  const isEmpty = supply === 0n || liquidity === 0n;
  const tokensSf = isEmpty ? ctokens << FRACTION_BITS : (ctokens * liquidity) / supply;
  return marketValue(tokensSf, data);
}

const marketValue = (tokensSf: bigint, { priceSf, decimals }: ReserveData): bigint =>
  (tokensSf * BigInt(priceSf)) / 10n ** BigInt(decimals);

/** The fee of a borrow is at least one smallest unit, and becomes a debt. */
const borrowedWithFee = (units: bigint, { originationFeeSf }: ReserveData): bigint =>
  ((units + 1n) << FRACTION_BITS) + units * BigInt(originationFeeSf);

/** The debt at the rate of the reserve. */
function grown(borrowedSf: bigint, rate: bigint, data: ReserveData): bigint {
  const now = BigInt(data.cumulativeBorrowRateSf);
  return rate === 0n || now < rate ? borrowedSf : (borrowedSf * now) / rate + 1n;
}

/** Borrow factors do not count in an elevation group, and are never below one. */
function debtValue(owedSf: bigint, data: ReserveData, isInGroup: boolean): bigint {
  const factor = BigInt(data.borrowFactorPct);
  const counted = isInGroup || factor < HUNDRED ? HUNDRED : factor;
  const value = marketValue(owedSf, data) + 1n;
  return (value * counted) / HUNDRED + 1n;
}
