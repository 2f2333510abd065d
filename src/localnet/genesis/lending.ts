import { type Address, ZERO_ADDRESS } from '../../base/address.ts';
import { CodedError } from '../../base/errors.ts';
import { addSf, floorSf, type Sf, sfFromInt, ZERO_SF } from '../../base/fixed.ts';
import type { ChainTime } from '../../base/time.ts';
import type { LendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import type { DepositTerms } from '../../protocol/klend/math/exchange-rate.ts';
import { amountOfValue } from '../../protocol/klend/math/market-value.ts';
import { borrow } from '../../protocol/klend/operations/borrow.ts';
import { deposit, supplyLiquidity } from '../../protocol/klend/operations/deposit.ts';
import { initObligation } from '../../protocol/klend/operations/init-obligation.ts';
import { maxBorrow } from '../../protocol/klend/operations/max-amounts.ts';
import {
  isBorrow,
  isDeposit,
  type Position,
  type Terms,
} from '../../protocol/klend/operations/position.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh-obligation.ts';
import { refreshReserve } from '../../protocol/klend/operations/refresh-reserve.ts';
import { repay } from '../../protocol/klend/operations/repay.ts';
import { requestElevationGroup } from '../../protocol/klend/operations/request-elevation-group.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import {
  OBLIGATION_TAGS,
  type ObligationPlace,
  obligationAddress,
} from '../../protocol/klend/pda.ts';
import { CURRENT_RULES } from '../../protocol/klend/rules.ts';
import type { DatedPrice } from '../../protocol/scope/layout/oracle-prices.ts';
import type { Farming } from './farming.ts';
import type { Ledger } from './ledger.ts';
import { readingOf } from './oracle.ts';

/** When things happen, and the prices then. */
export type Moment = { readonly time: ChainTime; readonly prices: readonly DatedPrice[] };

/** A loan, one of its reserves, and how many lamports. */
export type LoanAct = {
  readonly obligation: Address;
  readonly reserve: Address;
  readonly amount: bigint;
};

/**
 * Markets, reserves and loans, changed by the program's own operations alone, with the tokens that move
 * and the stakes that follow.
 */
export class Lending {
  readonly markets = new Map<Address, LendingMarket>();
  readonly reserves = new Map<Address, Reserve>();
  readonly obligations = new Map<Address, Obligation>();
  readonly #ledger: Ledger;
  readonly #farming: Farming;
  #moment: Moment;

  constructor(parts: { ledger: Ledger; farming: Farming; moment: Moment }) {
    this.#ledger = parts.ledger;
    this.#farming = parts.farming;
    this.#moment = parts.moment;
  }

  /** Time passes: interest accrues, prices move. */
  moveTo(moment: Moment): void {
    this.#moment = moment;
    for (const address of this.reserves.keys()) this.refresh(address);
  }

  get time(): ChainTime {
    return this.#moment.time;
  }

  reserve(address: Address): Reserve {
    return found(this.reserves.get(address), `reserve ${address}`);
  }

  refresh(address: Address): Reserve {
    const reserve = this.reserve(address);
    const chain = reserve.config.tokenInfo.scopeConfiguration.priceChain;
    const reading = readingOf(this.#moment.prices, chain);
    const refreshed = refreshReserve(reserve, this.#terms(reserve.lendingMarket), reading);
    this.reserves.set(address, refreshed);
    return refreshed;
  }

  /** An act of the market's owner. */
  configure(address: Address, changes: Partial<Reserve['config']>): void {
    const reserve = this.reserve(address);
    this.reserves.set(address, { ...reserve, config: { ...reserve.config, ...changes } });
  }

  open(place: ObligationPlace): Address {
    const address = obligationAddress(place);
    if (this.obligations.has(address)) return address;
    const { owner, lendingMarket: market } = place;
    const request = { owner, market, tag: OBLIGATION_TAGS[place.kind], referrer: ZERO_ADDRESS };
    this.obligations.set(address, initObligation(request, this.#terms(market)));
    return address;
  }

  /** Lamports of a reserve's token for so many dollars. */
  worth(reserve: Address, dollars: bigint): bigint {
    return floorSf(amountOfValue(this.refresh(reserve).liquidity, sfFromInt(dollars)));
  }

  /** Somebody lends tokens and keeps the cTokens: an account for each. */
  supply(
    address: Address,
    from: Address,
    { to, amount }: { readonly to: Address; readonly amount: bigint },
  ): DepositTerms {
    const before = this.refresh(address);
    const supplied = supplyLiquidity(before, this.#terms(before.lendingMarket), amount);
    this.reserves.set(address, supplied.reserve);
    this.#ledger.move(from, before.liquidity.supplyVault, supplied.liquidity);
    this.#ledger.issue(to, supplied.collateral);
    return supplied;
  }

  /** The tokens come from outside of the cluster. */
  deposit({ obligation, reserve, amount }: LoanAct): void {
    const after = this.#act(obligation, reserve, (position, terms) =>
      deposit(position, terms, { reserve, amount }),
    );
    const { liquidity, collateral } = this.reserve(reserve);
    const { owner } = this.#obligation(obligation);
    const account = this.#ledger.of(owner, liquidity.mintPubkey);
    this.#ledger.issue(account, after.liquidity);
    this.#ledger.move(account, liquidity.supplyVault, after.liquidity);
    this.#ledger.issue(collateral.supplyVault, after.collateral);
    this.#restake(obligation, reserve);
  }

  /** A part of the most that can be borrowed; the loan is paid out to `to`. */
  borrow(act: Omit<LoanAct, 'amount'> & { permille: bigint; to: Address }): void {
    const { obligation, reserve, permille, to } = act;
    const after = this.#act(obligation, reserve, (position, terms) => {
      const most = maxBorrow(position, terms, reserve);
      return borrow(position, terms, { reserve, amount: (most * permille) / 1_000n });
    });
    const { supplyVault, feeVault, mintPubkey } = this.reserve(reserve).liquidity;
    this.#ledger.move(supplyVault, this.#ledger.of(to, mintPubkey), after.received);
    this.#ledger.move(supplyVault, feeVault, after.protocolFee);
    this.#restake(obligation, reserve);
  }

  repay({ obligation, reserve, amount }: LoanAct): void {
    const after = this.#act(obligation, reserve, (position, terms) =>
      repay(position, terms, { reserve, amount }),
    );
    const { supplyVault, mintPubkey } = this.reserve(reserve).liquidity;
    const account = this.#ledger.of(this.#obligation(obligation).owner, mintPubkey);
    const missing = after.repaid - this.#ledger.balance(account);
    if (missing > 0n) this.#ledger.issue(account, missing);
    this.#ledger.move(account, supplyVault, after.repaid);
    this.#restake(obligation, reserve);
  }

  /** `amount` is of cTokens. */
  withdraw({ obligation, reserve, amount }: LoanAct): void {
    const after = this.#act(obligation, reserve, (position, terms) =>
      withdraw(position, terms, { reserve, collateral: amount, limit: 'max ltv' }),
    );
    const { liquidity, collateral } = this.reserve(reserve);
    const { owner } = this.#obligation(obligation);
    const account = this.#ledger.of(owner, liquidity.mintPubkey);
    this.#ledger.burn(collateral.supplyVault, after.collateral);
    this.#ledger.move(liquidity.supplyVault, account, after.liquidity);
    this.#restake(obligation, reserve);
  }

  joinGroup(obligation: Address, group: number): void {
    this.#act(obligation, undefined, (position, terms) =>
      requestElevationGroup(position, terms, group),
    );
  }

  /**
   * Every loan refreshed, then each reserve's debt set to the sum of its loans: over the days the two round
   * apart by less than a lamport. Loans are refreshed again, because the sum is part of what cTokens are worth.
   */
  settle(): void {
    this.#refreshLoans();
    const debts = new Map<Address, Sf>();
    for (const { borrows } of this.obligations.values()) {
      for (const { borrowReserve, borrowedAmountSf } of borrows.filter(isBorrow)) {
        debts.set(borrowReserve, addSf(debts.get(borrowReserve) ?? ZERO_SF, borrowedAmountSf));
      }
    }
    for (const [address, reserve] of this.reserves) {
      const borrowedAmountSf = debts.get(address) ?? ZERO_SF;
      const liquidity = { ...reserve.liquidity, borrowedAmountSf };
      this.reserves.set(address, { ...reserve, liquidity });
    }
    this.#refreshLoans();
    for (const [address, { deposits, borrows }] of this.obligations) {
      for (const { depositReserve } of deposits.filter(isDeposit))
        this.#restake(address, depositReserve);
      for (const { borrowReserve } of borrows.filter(isBorrow))
        this.#restake(address, borrowReserve);
    }
  }

  #refreshLoans(): void {
    for (const address of this.reserves.keys()) this.refresh(address);
    for (const address of this.obligations.keys()) this.#refreshed(address);
  }

  #act<Done extends Position>(
    address: Address,
    reserve: Address | undefined,
    operation: (position: Position, terms: Terms) => Done,
  ): Done {
    if (reserve !== undefined) this.refresh(reserve);
    const position = this.#refreshed(address);
    const done = operation(position, this.#terms(position.obligation.lendingMarket));
    this.#store(address, done);
    return done;
  }

  #refreshed(address: Address): Position {
    const obligation = this.#obligation(address);
    for (const { depositReserve } of obligation.deposits.filter(isDeposit))
      this.refresh(depositReserve);
    for (const { borrowReserve } of obligation.borrows.filter(isBorrow))
      this.refresh(borrowReserve);
    const position = { obligation, reserves: this.reserves };
    const done = refreshObligation(position, this.#terms(obligation.lendingMarket));
    this.#store(address, done);
    return { obligation: done.obligation, reserves: this.reserves };
  }

  #store(address: Address, { obligation, reserves }: Position): void {
    this.obligations.set(address, obligation);
    for (const [place, reserve] of reserves) this.reserves.set(place, reserve);
  }

  /** The farms of both sides are told what the position is: cTokens, and debt rounded down. */
  #restake(address: Address, reserve: Address): void {
    const { deposits, borrows, owner } = this.#obligation(address);
    const { farmCollateral, farmDebt } = this.reserve(reserve);
    const { time } = this.#moment;
    const who = { owner, delegatee: address };
    const deposited = deposits.find(({ depositReserve }) => depositReserve === reserve);
    const borrowed = borrows.find(({ borrowReserve }) => borrowReserve === reserve);
    const debt = floorSf(borrowed?.borrowedAmountSf ?? ZERO_SF);
    this.#farming.setStake(farmCollateral, who, { amount: deposited?.depositedAmount ?? 0n, time });
    this.#farming.setStake(farmDebt, who, { amount: debt, time });
  }

  #obligation(address: Address): Obligation {
    return found(this.obligations.get(address), `obligation ${address}`);
  }

  #terms(market: Address): Terms {
    const account = found(this.markets.get(market), `market ${market}`);
    return { market: account, time: this.#moment.time, rules: CURRENT_RULES };
  }
}

function found<Thing>(thing: Thing | undefined, what: string): Thing {
  if (thing !== undefined) return thing;
  throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason: `there is no ${what}` });
}
