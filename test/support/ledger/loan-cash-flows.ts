import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { type Decimal50, divide, multiply, toDecimal50 } from '../reference/reference-lending.ts';
import type { LedgerTime } from './account-ledger.ts';
import { type LoanLedger, ledgerLoanAt, stakeRateAt } from './ledger-loan.ts';
import type { LedgerReserve } from './ledger-reserves.ts';
import { parseTransfers, type TopLevelCall } from './ledger-transaction.ts';

/** Cash that went into a pool for a loan, or out of it below zero, at the prices of its time. */
export type LoanCashFlow = {
  readonly obligation: Address;
  readonly slot: bigint;
  readonly usd: Decimal50;
  readonly sol: Decimal50;
  /** By the pool of a staked token. */
  readonly stakedSol: Decimal50;
};

/**
 * All cash between people and the pools that a call with a loan among its accounts moved: what comes is a deposit or a
 * repayment, what goes a withdrawal or a loan, of a liquidation both. Fees that a pool keeps go to nobody.
 */
export function loanCashFlows(book: LoanLedger, end: LedgerTime): readonly LoanCashFlow[] {
  const pools = new Map(
    [...book.reserves.at(end).values()].map((reserve) => [
      reserve.fields.liquidity.supplyVault,
      reserve,
    ]),
  );
  const feeVaults = new Set([...pools.values()].map(({ fields }) => fields.liquidity.feeVault));
  return book.ledger.transactions.flatMap((transaction) => {
    if (transaction.hasFailed) return [];
    const price = book.ledger.sampleAt(transaction.unix);
    return transaction.calls.flatMap((call) => {
      const loan = loanIn(book, call, transaction.slot);
      if (loan === undefined) return [];
      return parseTransfers(call.inner).flatMap(
        ({ source, destination, amount }): LoanCashFlow[] => {
          const [into, from] = [pools.get(destination), pools.get(source)];
          const pool = into ?? from;
          if (pool === undefined || price === undefined || feeVaults.has(destination)) return [];
          const signed = into === undefined ? -amount : amount;
          return [
            {
              obligation: loan,
              slot: transaction.slot,
              ...worthOf(book, pool, { signed, at: price }),
            },
          ];
        },
      );
    });
  });
}

/** A loan that exists before or after the call. */
function loanIn({ ledger }: LoanLedger, { program, accounts }: TopLevelCall, slot: bigint) {
  if (program !== KLEND_PROGRAM) return undefined;
  return accounts.find(
    (address) =>
      ledger.find(obligation, address, { slot }) ??
      ledger.find(obligation, address, { slot: slot - 1n }),
  );
}

function worthOf(
  book: LoanLedger,
  { mint, lamportsPerToken }: LedgerReserve,
  { signed, at }: { readonly signed: bigint; readonly at: LedgerTime },
): Pick<LoanCashFlow, 'usd' | 'sol' | 'stakedSol'> {
  const tokens = toDecimal50(signed, lamportsPerToken);
  const usd = multiply(tokens, book.reserves.price(mint, at));
  const sol = divide(usd, book.reserves.solPrice(at));
  const rate = stakeRateAt(book, mint, at);
  return { usd, sol, stakedSol: rate === undefined ? sol : multiply(tokens, rate) };
}

/** Flows since the loan was last without any position; all of them where it never was between two. */
export function positionCashFlows(
  book: LoanLedger,
  flows: readonly LoanCashFlow[],
): readonly LoanCashFlow[] {
  let since = 0;
  for (const [i, { obligation: address, slot }] of flows.entries()) {
    const after = { slot, unix: 0n };
    // all cash of a transaction moves in one slot
    if (flows[i + 1]?.slot !== slot && ledgerLoanAt(book, address, after) === undefined)
      since = i + 1;
  }
  return flows.slice(since);
}
