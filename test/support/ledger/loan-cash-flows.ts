import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { type Decimal50, divide, multiply, toDecimal50 } from '../reference/reference-lending.ts';
import type { LedgerTime } from './account-ledger.ts';
import { type LoanLedger, ledgerLoanAt, stakeRateAt } from './ledger-loan.ts';
import type { LedgerReserve } from './ledger-reserves.ts';
import { isInstructionNamed, parseTransfers, type TopLevelCall } from './ledger-transaction.ts';

/** Tokens that a loan moved into a pool (negative: out of it), with historical prices. */
export type LoanCashFlow = {
  readonly obligation: Address;
  readonly slot: bigint;
  readonly usd: Decimal50;
  readonly sol: Decimal50;
  /** The value by stake rate, for a staked token. */
  readonly stakedSol: Decimal50;
};

const LIQUIDATIONS = [
  'liquidate_obligation_and_redeem_reserve_collateral',
  'liquidate_obligation_and_redeem_reserve_collateral_v2',
];

/**
 * All token transfers between wallets and pools in calls with a loan among their accounts. Incoming: deposits and
 * repayments; outgoing: withdrawals and borrows. The transfers of a liquidation are those of the liquidator. Fees that
 * stay in a pool are ignored.
 */
export function loanCashFlows(loanLedger: LoanLedger, end: LedgerTime): readonly LoanCashFlow[] {
  const pools = new Map(
    [...loanLedger.reserves.at(end).values()].map((reserve) => [
      reserve.fields.liquidity.supplyVault,
      reserve,
    ]),
  );
  const feeVaults = new Set([...pools.values()].map(({ fields }) => fields.liquidity.feeVault));
  return loanLedger.ledger.transactions.flatMap((transaction) => {
    if (transaction.hasFailed) return [];
    const price = loanLedger.ledger.sampleAt(transaction.unix);
    return transaction.calls.flatMap((call) => {
      const loan = loanIn(loanLedger, call, transaction.slot);
      if (loan === undefined || LIQUIDATIONS.some((name) => isInstructionNamed(call, name)))
        return [];
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
              ...worthOf(loanLedger, pool, { signed, at: price }),
            },
          ];
        },
      );
    });
  });
}

/** The loan of a call that exists before or after it. */
function loanIn({ ledger }: LoanLedger, { program, accounts }: TopLevelCall, slot: bigint) {
  if (program !== KLEND_PROGRAM) return undefined;
  return accounts.find(
    (address) =>
      ledger.find(obligation, address, { slot }) ??
      ledger.find(obligation, address, { slot: slot - 1n }),
  );
}

function worthOf(
  loanLedger: LoanLedger,
  { mint, lamportsPerToken }: LedgerReserve,
  { signed, at }: { readonly signed: bigint; readonly at: LedgerTime },
): Pick<LoanCashFlow, 'usd' | 'sol' | 'stakedSol'> {
  const tokens = toDecimal50(signed, lamportsPerToken);
  const usd = multiply(tokens, loanLedger.reserves.price(mint, at));
  const sol = divide(usd, loanLedger.reserves.solPrice(at));
  const rate = stakeRateAt(loanLedger, mint, at);
  return { usd, sol, stakedSol: rate === undefined ? sol : multiply(tokens, rate) };
}

/** Flows since the loan was last empty; all flows if it never was. */
export function positionCashFlows(
  loanLedger: LoanLedger,
  flows: readonly LoanCashFlow[],
): readonly LoanCashFlow[] {
  let since = 0;
  for (const [i, { obligation: address, slot }] of flows.entries()) {
    const after = { slot, unix: 0n };
    // all flows of a transaction are in one slot
    if (flows[i + 1]?.slot !== slot && ledgerLoanAt(loanLedger, address, after) === undefined)
      since = i + 1;
  }
  return flows.slice(since);
}
