import {
  formatUnits,
  toUnixSeconds,
  U64_MAX,
  type UnixSeconds,
  untrustedSymbol,
} from '@tidegate/core/base';
import { klend } from '@tidegate/core/protocol';
import { short } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { LoanRow } from '../../api/api-schemas.ts';
import { findReserve, type ReserveOfMarket } from '../../api/catalogue.ts';
import { inspectLoan } from '../inspect/inspect-loan.ts';
import { type Inspection, notFound } from '../inspect/inspection.ts';
import { type ReserveAccount, readReserveAccount } from './read-reserve-account.ts';

export async function explainLimits(address: string, reading: ApiReading): Promise<Inspection> {
  const loan = await reading.find(LoanRow, `/klend/loans/${address}`);
  if (loan !== undefined) return await explainLoanLimits(address, reading);
  const found = await findReserve(reading, address);
  if (found === undefined) throw notFound('loan or reserve', address);
  return await explainReserveLimits(found, reading);
}

/** The largest amounts of a loan already respect every limit of the reserves and of the market. */
async function explainLoanLimits(address: string, reading: ApiReading): Promise<Inspection> {
  const { lines, data } = await inspectLoan(address, reading);
  return {
    lines: [
      ...lines,
      'The largest amounts respect the borrow limit of the loan (deposits times their maximum loan-to-value) and the caps, liquidity and price checks of the reserves. A later slot can allow less.',
    ],
    data,
    next: ['Call explain with topic limits and the address of a reserve for its caps.'],
  };
}

type ReserveLimit = { readonly name: string; readonly left: bigint; readonly why: string };

async function explainReserveLimits(
  { market, reserve }: ReserveOfMarket,
  reading: ApiReading,
): Promise<Inspection> {
  const account = await readReserveAccount(reading, {
    market: market.lendingMarket,
    reserve: reserve.reserve,
  });
  const blockTime = Date.parse(reading.freshness()?.blockTime ?? '');
  const now = Number.isNaN(blockTime)
    ? undefined
    : toUnixSeconds(BigInt(Math.floor(blockTime / 1000)));
  const decimals = Number(account.liquidity.mintDecimals);
  const symbol = untrustedSymbol(reserve.liquidityToken);
  const amount = (lamports: bigint): string =>
    lamports >= U64_MAX ? 'no limit' : `${short(formatUnits(lamports, decimals))} ${symbol}`;
  const limits = reserveLimits(account, now);
  return {
    lines: [
      `Reserve ${symbol} at ${reserve.reserve}, by its account before the interest of the last slots:`,
      ...limits.map(({ name, left, why }) => `${name}: ${amount(left)} left (${why}).`),
      `A deposit allows a loan of ${account.config.loanToValuePct} % of its value and can be liquidated at ${account.config.liquidationThresholdPct} %; a debt counts ${account.config.borrowFactorPct} % of its value.`,
      'The smallest one that applies decides. A loan has limits of its own: call explain with topic limits and its address.',
    ],
    data: {
      reserve: reserve.reserve,
      market: market.lendingMarket,
      untrustedSymbol: symbol,
      limits: limits.map(({ name, left, why }) => ({ name, left: amount(left), why })),
      loanToValuePct: account.config.loanToValuePct,
      liquidationThresholdPct: account.config.liquidationThresholdPct,
      borrowFactorPct: account.config.borrowFactorPct.toString(),
    },
  };
}

/** Without the time of the state, what is left of the caps per interval is not known. */
function reserveLimits(account: ReserveAccount, now: UnixSeconds | undefined): ReserveLimit[] {
  const { config } = account;
  const time = now ?? toUnixSeconds(0n);
  // No release since 1.11 changed the exchange rate, on which free liquidity depends.
  const borrow = klend.math.borrowCapacity(account, time, klend.NEWEST_LENDING_RULES);
  const withdrawal = klend.math.remainingWithdrawalCap(config.depositWithdrawalCap, time);
  const utilizationLimit = config.utilizationLimitBlockBorrowingAbovePct;
  return [
    { name: 'Deposits', left: klend.math.depositCapacity(account), why: 'deposit limit' },
    { name: 'Liquidity', left: borrow.liquidity, why: 'tokens that nobody borrows' },
    { name: 'Borrows', left: borrow.borrowLimit, why: 'borrow limit of the reserve' },
    {
      name: 'Borrows outside elevation groups',
      left: borrow.outsideGroups,
      why: 'separate limit for loans outside groups',
    },
    ...(utilizationLimit === 0
      ? []
      : [
          {
            name: 'Borrows by utilization',
            left: borrow.utilization,
            why: `no borrow above ${utilizationLimit} % utilization`,
          },
        ]),
    ...(now === undefined
      ? []
      : [
          { name: 'Outflow of debts', left: borrow.withdrawalCap, why: 'cap per interval' },
          { name: 'Outflow of deposits', left: withdrawal, why: 'cap per interval' },
        ]),
  ];
}
