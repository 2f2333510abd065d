import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { klendInstructions } from '#core/protocol/klend/instruction-set.ts';
import { type LendingMarket, lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { LendingRules } from '#core/protocol/klend/lending-rules.ts';
import { borrow } from '#core/protocol/klend/operations/borrow.ts';
import { repayAndWithdraw } from '#core/protocol/klend/operations/combined-operations.ts';
import { deposit, supplyLiquidity } from '#core/protocol/klend/operations/deposit.ts';
import {
  initObligation,
  requestElevationGroup,
} from '#core/protocol/klend/operations/elevation-groups.ts';
import { flashBorrow, flashRepay } from '#core/protocol/klend/operations/flash-loan.ts';
import { liquidate } from '#core/protocol/klend/operations/liquidate.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '#core/protocol/klend/operations/position.ts';
import { redeemCollateral } from '#core/protocol/klend/operations/redeem-collateral.ts';
import { refreshObligation } from '#core/protocol/klend/operations/refresh/refresh-obligation.ts';
import {
  accrueReserveToSlot,
  refreshReserve,
} from '#core/protocol/klend/operations/refresh/refresh-reserve.ts';
import { repay } from '#core/protocol/klend/operations/repay.ts';
import { withdraw } from '#core/protocol/klend/operations/withdraw.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { type OraclePricesView, oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { chainPrice } from '#core/protocol/scope/math/price-chain.ts';
import type { GoldenAccount } from '../golden/golden.ts';

type Call = ReturnType<(typeof klendInstructions.codecs)[number]['decode']>;
type NamedCall = {
  readonly accounts: Readonly<Record<string, Address | undefined>>;
  readonly args: Readonly<Record<string, unknown>>;
};

/**
 * Applies lending instructions to the accounts of a cluster, one after the other, with our
 * operations.
 */
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

  /** Skips instructions of other programs, which do not change lending accounts. */
  run({ programAddress, accounts, data }: Instruction): void {
    if (programAddress !== KLEND_PROGRAM) return;
    const codec = klendInstructions.codecOf(data);
    if (codec === undefined) throw new Error('an instruction of a golden flow has no codec');
    const addresses = accounts.map(({ address }) => address);
    this.#apply(codec.decode(programAddress, { data, accounts: addresses }));
  }

  #apply(call: Call): void {
    const namedCall: NamedCall = call;
    const onReserve = reserveOperations[call.name];
    const onPosition = positionOperations[call.name.replace(/V2$/, '')];
    if (call.name === 'initObligation') this.#initObligation(namedCall);
    else if (call.name === 'refreshReserve') this.#refreshReserve(accountOf(namedCall, 'reserve'));
    else if (call.name === 'refreshReservesBatch') this.#refreshBatch(call.remaining);
    else if (onReserve !== undefined)
      this.#change(accountOf(namedCall, 'reserve'), onReserve(namedCall));
    else if (onPosition !== undefined) this.#move(namedCall, onPosition(namedCall));
    else if (!WITHOUT_EFFECT.has(call.name)) throw new Error(`${call.name} is not replayed`);
  }

  #context(market: Address): LendingContext {
    return { market: requireEntry(this.#markets, market), time: this.#time, rules: this.#rules };
  }

  #refreshReserve(address: Address): void {
    this.#change(address, (before, context) => {
      const { priceFeed, priceChain, twapChain } = before.config.tokenInfo.scopeConfiguration;
      const { prices } = requireEntry(this.#feeds, priceFeed);
      return refreshReserve(before, context, {
        price: chainPrice(prices, priceChain),
        twap: chainPrice(prices, twapChain),
      });
    });
  }

  /** Without prices, like the vault program: reserves and markets alternate. */
  #refreshBatch(remaining: readonly Address[]): void {
    for (let i = 0; i < remaining.length; i += 2) {
      const address = remaining[i];
      if (address === undefined) continue;
      this.#change(address, (before, context) =>
        refreshReserve(before, context, { price: undefined, twap: undefined }),
      );
    }
  }

  #initObligation(call: NamedCall): void {
    const request = {
      owner: accountOf(call, 'obligationOwner'),
      market: accountOf(call, 'lendingMarket'),
      tag: Number(call.args['tag']),
      referrer: ZERO_ADDRESS,
    };
    const context = this.#context(request.market);
    this.obligations.set(accountOf(call, 'obligation'), initObligation(request, context));
  }

  #change(address: Address, change: ReserveChange): void {
    const before = requireEntry(this.reserves, address);
    this.reserves.set(address, change(before, this.#context(before.lendingMarket)));
  }

  #move(call: NamedCall, change: PositionChange): void {
    const address = accountOf(call, 'obligation');
    const before = requireEntry(this.obligations, address);
    const position = { obligation: before, reserves: this.reserves };
    const after = change(position, this.#context(before.lendingMarket));
    for (const [key, changed] of after.reserves) this.reserves.set(key, changed);
    if (after.closes === true) this.obligations.delete(address);
    else this.obligations.set(address, after.obligation);
  }
}

type ReserveChange = (before: Reserve, context: LendingContext) => Reserve;
type PositionChange = (
  position: ObligationPosition,
  context: LendingContext,
) => ObligationPosition & { readonly closes?: boolean };

/** These change only farms and user metadata. */
const WITHOUT_EFFECT = new Set([
  'initUserMetadata',
  'initObligationFarmsForReserve',
  'refreshObligationFarmsForReserve',
]);

const reserveOperations: Readonly<Record<string, (call: NamedCall) => ReserveChange>> = {
  depositReserveLiquidity: (call) => (before, context) =>
    supplyLiquidity(
      accrueReserveToSlot(before, context),
      context,
      amountOf(call, 'liquidityAmount'),
    ).reserve,
  redeemReserveCollateral: (call) => (before, context) => {
    const collateral = amountOf(call, 'collateralAmount');
    return redeemCollateral(accrueReserveToSlot(before, context), context, { collateral }).reserve;
  },
  flashBorrowReserveLiquidity: (call) => (before, context) =>
    flashBorrow(before, context, amountOf(call, 'liquidityAmount')),
  flashRepayReserveLiquidity: (call) => (before, context) => {
    const amount = amountOf(call, 'liquidityAmount');
    return flashRepay(before, context, { amount, hasReferrer: false }).reserve;
  },
};

const positionOperations: Readonly<Record<string, (call: NamedCall) => PositionChange>> = {
  refreshObligation: () => (position, context) => refreshObligation(position, context),
  depositReserveLiquidityAndObligationCollateral: (call) => (position, context) =>
    deposit(position, context, {
      reserve: accountOf(call, 'reserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  borrowObligationLiquidity: (call) => (position, context) =>
    borrow(position, context, {
      reserve: accountOf(call, 'borrowReserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  repayObligationLiquidity: (call) => (position, context) =>
    repay(position, context, {
      reserve: accountOf(call, 'repayReserve'),
      amount: amountOf(call, 'liquidityAmount'),
    }),
  withdrawObligationCollateralAndRedeemReserveCollateral: (call) => (position, context) =>
    withdraw(position, context, {
      reserve: accountOf(call, 'withdrawReserve'),
      collateral: amountOf(call, 'collateralAmount'),
      limit: 'max ltv',
    }),
  repayAndWithdrawAndRedeem: (call) => (position, context) =>
    repayAndWithdraw(position, context, {
      repayReserve: accountOf(call, 'repayReserve'),
      repayAmount: amountOf(call, 'repayAmount'),
      withdrawReserve: accountOf(call, 'withdrawReserve'),
      collateral: amountOf(call, 'withdrawCollateralAmount'),
    }),
  liquidateObligationAndRedeemReserveCollateral: (call) => (position, context) =>
    liquidate(position, context, {
      repayReserve: accountOf(call, 'repayReserve'),
      withdrawReserve: accountOf(call, 'withdrawReserve'),
      amount: amountOf(call, 'liquidityAmount'),
      minReceived: amountOf(call, 'minAcceptableReceivedLiquidityAmount'),
    }),
  requestElevationGroup: (call) => (position, context) =>
    requestElevationGroup(position, context, Number(call.args['elevationGroup'])),
};

function accountOf(call: NamedCall, name: string): Address {
  const address = call.accounts[name];
  if (address === undefined) throw new Error(`the instruction has no account ${name}`);
  return address;
}

function amountOf(call: NamedCall, name: string): bigint {
  const amount = call.args[name];
  if (typeof amount !== 'bigint') throw new Error(`the instruction has no amount ${name}`);
  return amount;
}

function requireEntry<Value>(map: ReadonlyMap<Address, Value>, address: Address): Value {
  const value = map.get(address);
  if (value === undefined) throw new Error(`the account ${address} is missing`);
  return value;
}
