import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { over, times, toWide, type Wide } from '../reference/reference-lending.ts';
import type { Moment } from './account-ledger.ts';
import { type LoanBook, loanThen, stakeRateThen } from './ledger-loan.ts';
import type { ReserveThen } from './ledger-reserves.ts';
import { type TopCall, transfersIn } from './ledger-transaction.ts';

/** Cash that went into a pool for a loan, or out of it below zero, at the prices of its time. */
export type LoanFlow = {
  readonly obligation: Address;
  readonly slot: bigint;
  readonly usd: Wide;
  readonly sol: Wide;
  /** By the pool of a staked token. */
  readonly stakedSol: Wide;
};

/**
 * All cash between people and the pools that a call with a loan among its accounts moved: what comes is a deposit or a
 * repayment, what goes a withdrawal or a loan, of a liquidation both. Fees that a pool keeps go to nobody.
 */
export function loanFlows(book: LoanBook, end: Moment): readonly LoanFlow[] {
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
      return transfersIn(call.inner).flatMap(({ source, destination, amount }): LoanFlow[] => {
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
      });
    });
  });
}

/** A loan that exists before or after the call. */
function loanIn({ ledger }: LoanBook, { program, accounts }: TopCall, slot: bigint) {
  if (program !== KLEND_PROGRAM) return undefined;
  return accounts.find(
    (address) =>
      ledger.find(obligation, address, { slot }) ??
      ledger.find(obligation, address, { slot: slot - 1n }),
  );
}

function worthOf(
  book: LoanBook,
  { mint, lamportsPerToken }: ReserveThen,
  { signed, at }: { readonly signed: bigint; readonly at: Moment },
): Pick<LoanFlow, 'usd' | 'sol' | 'stakedSol'> {
  const tokens = toWide(signed, lamportsPerToken);
  const usd = times(tokens, book.reserves.price(mint, at));
  const sol = over(usd, book.reserves.solPrice(at));
  const rate = stakeRateThen(book, mint, at);
  return { usd, sol, stakedSol: rate === undefined ? sol : times(tokens, rate) };
}

/** Flows since the loan was last without any position; all of them where it never was between two. */
export function flowsOfPosition(book: LoanBook, flows: readonly LoanFlow[]): readonly LoanFlow[] {
  let since = 0;
  for (const [i, { obligation: address, slot }] of flows.entries()) {
    const after = { slot, unix: 0n };
    // all cash of a transaction moves in one slot
    if (flows[i + 1]?.slot !== slot && loanThen(book, address, after) === undefined) since = i + 1;
  }
  return flows.slice(since);
}
