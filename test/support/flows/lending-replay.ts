import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { LendingRules } from '#core/protocol/klend/lending-rules.ts';
import { borrow } from '#core/protocol/klend/operations/borrow.ts';
import { deposit, supplyLiquidity } from '#core/protocol/klend/operations/deposit.ts';
import { flashBorrow, flashRepay } from '#core/protocol/klend/operations/flash-loan.ts';
import { initObligation } from '#core/protocol/klend/operations/init-obligation.ts';
import { liquidate } from '#core/protocol/klend/operations/liquidate.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '#core/protocol/klend/operations/position.ts';
import { redeemCollateral } from '#core/protocol/klend/operations/redeem-collateral.ts';
import { refreshObligation } from '#core/protocol/klend/operations/refresh-obligation.ts';
import {
  accrueReserveToSlot,
  refreshReserve,
} from '#core/protocol/klend/operations/refresh-reserve.ts';
import { repay } from '#core/protocol/klend/operations/repay.ts';
import { repayAndWithdraw } from '#core/protocol/klend/operations/repay-and-withdraw.ts';
import { requestElevationGroup } from '#core/protocol/klend/operations/request-elevation-group.ts';
import { withdraw } from '#core/protocol/klend/operations/withdraw.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { type OraclePricesView, oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { chainPrice } from '#core/protocol/scope/math/price-chain.ts';
import type { GoldenAccount } from '../golden/golden.ts';

type Call = ReturnType<(typeof klendInstructions.codecs)[number]['decode']>;
type Named = {
  readonly accounts: Readonly<Record<string, Address | undefined>>;
  readonly args: Readonly<Record<string, unknown>>;
};

/** Lending accounts of a cluster, moved on by our operations, one instruction after the other. */
export class LendingReplay {
  readonly reserves = new Map<Address, Reserve>();
  readonly obligations = new Map<Address, Obligation>();
  readonly #markets = new Map<Address, LendingMarket>();
  readonly #feeds = new Map<Address, OraclePricesView>();
  readonly #time: ChainTime;
  readonly #rules: LendingRules;

  constructor(
    accounts: ReadonlyMap<Address, GoldenAccount | undefined>,
    time: ChainTime,
    rules: LendingRules,
  ) {
    this.#time = time;
    this.#rules = rules;
    for (const [address, account] of accounts) {
      if (account === undefined) continue;
      if (reserve.matches(account)) this.reserves.set(address, reserve.decode(account));
      if (obligation.matches(account)) this.obligations.set(address, obligation.decode(account));
      if (lendingMarket.matches(account)) this.#markets.set(address, lendingMarket.decode(account));
      if (oraclePrices.matches(account)) this.#feeds.set(address, oraclePrices.view(account));
    }
  }

  /** Instructions of other programs change no lending account and are passed over. */
  run({ programAddress, accounts, data }: Instruction): void {
    if (programAddress !== KLEND_PROGRAM) return;
    const codec = klendInstructions.codecOf(data);
    if (codec === undefined) throw new Error('a golden flow has an instruction without a codec');
    const addresses = accounts.map(({ address }) => address);
    this.#apply(codec.decode(programAddress, { data, accounts: addresses }));
  }

  #apply(call: Call): void {
    const named: Named = call;
    const onReserve = reserveOperations[call.name];
    const onPosition = positionOperations[call.name.replace(/V2$/, '')];
    if (call.name === 'initObligation') this.#initObligation(named);
    else if (call.name === 'refreshReserve') this.#refreshReserve(at(named, 'reserve'));
    else if (call.name === 'refreshReservesBatch') this.#refreshBatch(call.remaining);
    else if (onReserve !== undefined) this.#change(at(named, 'reserve'), onReserve(named));
    else if (onPosition !== undefined) this.#move(named, onPosition(named));
    else if (!WITHOUT_EFFECT.has(call.name)) throw new Error(`${call.name} is not replayed`);
  }

  #terms(market: Address): LendingContext {
    return { market: existing(this.#markets, market), time: this.#time, rules: this.#rules };
  }

  #refreshReserve(address: Address): void {
    this.#change(address, (before, terms) => {
      const { priceFeed, priceChain, twapChain } = before.config.tokenInfo.scopeConfiguration;
      const { prices } = existing(this.#feeds, priceFeed);
      return refreshReserve(before, terms, {
        price: chainPrice(prices, priceChain),
        twap: chainPrice(prices, twapChain),
      });
    });
  }

  /** Without prices, as the vault program does: reserve and market in turns. */
  #refreshBatch(remaining: readonly Address[]): void {
    for (let i = 0; i < remaining.length; i += 2) {
      const address = remaining[i];
      if (address === undefined) continue;
      this.#change(address, (before, terms) =>
        refreshReserve(before, terms, { price: undefined, twap: undefined }),
      );
    }
  }

  #initObligation(call: Named): void {
    const request = {
      owner: at(call, 'obligationOwner'),
      market: at(call, 'lendingMarket'),
      tag: Number(call.args['tag']),
      referrer: ZERO_ADDRESS,
    };
    const terms = this.#terms(request.market);
    this.obligations.set(at(call, 'obligation'), initObligation(request, terms));
  }

  #change(address: Address, change: ReserveChange): void {
    const before = existing(this.reserves, address);
    this.reserves.set(address, change(before, this.#terms(before.lendingMarket)));
  }

  #move(call: Named, change: PositionChange): void {
    const address = at(call, 'obligation');
    const before = existing(this.obligations, address);
    const position = { obligation: before, reserves: this.reserves };
    const after = change(position, this.#terms(before.lendingMarket));
    for (const [key, changed] of after.reserves) this.reserves.set(key, changed);
    if (after.closes === true) this.obligations.delete(address);
    else this.obligations.set(address, after.obligation);
  }
}

type ReserveChange = (before: Reserve, terms: LendingContext) => Reserve;
type PositionChange = (
  position: ObligationPosition,
  terms: LendingContext,
) => ObligationPosition & { readonly closes?: boolean };

/** They change farms and user metadata, which are not lending accounts with numbers. */
const WITHOUT_EFFECT = new Set([
  'initUserMetadata',
  'initObligationFarmsForReserve',
  'refreshObligationFarmsForReserve',
]);

const reserveOperations: Readonly<Record<string, (call: Named) => ReserveChange>> = {
  depositReserveLiquidity: (call) => (before, terms) =>
    supplyLiquidity(accrueReserveToSlot(before, terms), terms, amountOf(call, 'liquidityAmount'))
      .reserve,
  redeemReserveCollateral: (call) => (before, terms) => {
    const collateral = amountOf(call, 'collateralAmount');
    return redeemCollateral(accrueReserveToSlot(before, terms), terms, { collateral }).reserve;
  },
  flashBorrowReserveLiquidity: (call) => (before, terms) =>
    flashBorrow(before, terms, amountOf(call, 'liquidityAmount')),
  flashRepayReserveLiquidity: (call) => (before, terms) => {
    const amount = amountOf(call, 'liquidityAmount');
    return flashRepay(before, terms, { amount, hasReferrer: false }).reserve;
  },
};

const positionOperations: Readonly<Record<string, (call: Named) => PositionChange>> = {
  refreshObligation: () => (position, terms) => refreshObligation(position, terms),
  depositReserveLiquidityAndObligationCollateral: (call) => (position, terms) =>
    deposit(position, terms, {
      reserve: at(call, 'reserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  borrowObligationLiquidity: (call) => (position, terms) =>
    borrow(position, terms, {
      reserve: at(call, 'borrowReserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  repayObligationLiquidity: (call) => (position, terms) =>
    repay(position, terms, {
      reserve: at(call, 'repayReserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  withdrawObligationCollateralAndRedeemReserveCollateral: (call) => (position, terms) =>
    withdraw(position, terms, {
      reserve: at(call, 'withdrawReserve'),
      collateral: amountOf(call, 'collateralAmount'),
      limit: 'max ltv',
    }),
  repayAndWithdrawAndRedeem: (call) => (position, terms) =>
    repayAndWithdraw(position, terms, {
      repayReserve: at(call, 'repayReserve'),
      repayAmount: amountOf(call, 'repayAmount'),
      withdrawReserve: at(call, 'withdrawReserve'),
      collateral: amountOf(call, 'withdrawCollateralAmount'),
    }),
  liquidateObligationAndRedeemReserveCollateral: (call) => (position, terms) =>
    liquidate(position, terms, {
      repayReserve: at(call, 'repayReserve'),
      withdrawReserve: at(call, 'withdrawReserve'),
      amount: amountOf(call, 'liquidityAmount'),
      minReceived: amountOf(call, 'minAcceptableReceivedLiquidityAmount'),
    }),
  requestElevationGroup: (call) => (position, terms) =>
    requestElevationGroup(position, terms, Number(call.args['elevationGroup'])),
};

function at(call: Named, name: string): Address {
  const address = call.accounts[name];
  if (address === undefined) throw new Error(`the instruction has no account ${name}`);
  return address;
}

function amountOf(call: Named, name: string): bigint {
  const amount = call.args[name];
  if (typeof amount !== 'bigint') throw new Error(`the instruction has no amount ${name}`);
  return amount;
}

function existing<Value>(map: ReadonlyMap<Address, Value>, address: Address): Value {
  const value = map.get(address);
  if (value === undefined) throw new Error(`${address} is not among the accounts`);
  return value;
}
