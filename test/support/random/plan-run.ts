import { expect } from 'vitest';
import type { MultiplyRequest, VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import { toSlot } from '#core/base/time.ts';
import type { Builder } from '#core/builders/build.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import { deleverageBuilder, multiplyBuilder } from '#core/builders/leverage/leverage-builders.ts';
import { loanExitPlanner } from '#core/builders/plans/exit-planner.ts';
import {
  simulateDeleverage,
  simulateMultiply,
} from '#core/builders/simulation/simulate-leverage.ts';
import type { SimulationOutcome } from '#core/builders/simulation/simulation-outcome.ts';
import { obligation as obligationLayout } from '#core/protocol/klend/layout/obligation.ts';
import { obligationAddress } from '#core/protocol/klend/pda.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';
import { findViolations } from '../invariants/balance-invariants.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import { givenSwap } from './given-swap.ts';
import type { PlannedBuild } from './planned-build.ts';
import {
  RandomCluster,
  type RandomClusterOptions,
  type TransactionPlan,
} from './random-cluster.ts';
import { sinkSwap } from './random-leverage-actions.ts';

type PlanRunOptions = RandomClusterOptions & {
  /** Previews model the current programs; other builds are not compared with them. */
  readonly isCurrent?: boolean;
  /** Called with every transaction before it is executed, and what it was built for. */
  readonly onBuild?: (planned: PlannedBuild) => Promise<void>;
};

type Expected = {
  /** What the balances of the signer must change by. */
  readonly outcome?: SimulationOutcome;
  /** Whether the slot ends after the transaction. */
  readonly closes?: boolean;
};

type Simulate = (context: ReturnType<RandomCluster['buildContext']>) => SimulationOutcome;

type Balances = { readonly lamports: bigint; readonly tokens: ReadonlyMap<Address, bigint> };

/**
 * A wallet with a loan on the main market. Transactions are built for the slot in which they are executed, so that
 * previews equal the balances afterwards exactly.
 */
export class PlanRun {
  readonly #cluster: RandomCluster;
  readonly #isCurrent: boolean;
  readonly #onBuild: PlanRunOptions['onBuild'];
  readonly #owner: Signer;
  readonly #other: Signer;
  readonly #market: Address;
  readonly #collateral: Address;
  readonly #debt: Address;

  constructor({ isCurrent = true, onBuild, ...options }: PlanRunOptions) {
    this.#cluster = new RandomCluster(options);
    this.#isCurrent = isCurrent;
    this.#onBuild = onBuild;
    const [owner, other] = [this.#createWallet('owner'), this.#createWallet('other')];
    [this.#owner, this.#other] = [owner, other];
    const random = createSeededRandom(options.seed);
    const { state } = this.#cluster;
    const [market] = state.markets();
    if (market === undefined) throw new Error('no market');
    this.#market = market.address;
    const reserves = state.reservesOf(market.address).filter(({ fields }) => {
      const { config, liquidity } = fields;
      const isBorrowable = config.borrowLimit > 0n && config.loanToValuePct > 0;
      return isBorrowable && config.status === 0 && liquidity.totalAvailableAmount > 10n ** 9n;
    });
    const at = random.between(0n, BigInt(reserves.length - 1));
    const pick = (index: bigint) => reserves[Number(index) % reserves.length]?.address;
    const [collateral, debt] = [pick(at), pick(at + 1n)];
    if (collateral === undefined || debt === undefined) throw new Error('no reserves');
    [this.#collateral, this.#debt] = [collateral, debt];
    this.#fund(owner.address, collateral, 2_000n);
    this.#fund(owner.address, debt, 2_000n);
    this.#fund(other.address, debt, 2_000n);
    this.#cluster.advanceWithMaintenance(10n);
    this.#openLoan();
  }

  get #loan(): Address {
    return obligationAddress({
      kind: 'vanilla',
      owner: this.#owner.address,
      lendingMarket: this.#market,
    });
  }

  /** A leveraged loan of a kind that has its tokens in its address. */
  async openOfKind(kind: 'multiply' | 'leverage'): Promise<void> {
    const collateralMint = this.#liquidity(this.#collateral).mintPubkey;
    const debtMint = this.#liquidity(this.#debt).mintPubkey;
    const { more, verifiable } = this.#moreLeverage(50n);
    const obligation = { kind, collateralMint, debtMint };
    const { build } = this.#build(multiplyBuilder, { ...more, obligation });
    await this.#report(build, { ...verifiable, loanKind: kind });
  }

  /** More leverage, less leverage, and everything out. */
  async leverageAndExit(): Promise<void> {
    const { base, more, verifiable } = this.#moreLeverage(100n);
    const { wallet } = base;
    await this.#leverage(multiplyBuilder, more, {
      simulate: (each) => simulateMultiply(more, each),
      verifiable,
    });
    const context = { cluster: this.#cluster, wallet };
    const withdraw = this.#units(this.#collateral, 60n);
    const less = {
      ...base,
      repay: this.#units(this.#debt, 60n),
      withdraw,
      swap: sinkSwap(context, this.#collateral, withdraw / 2n),
    };
    await this.#leverage(deleverageBuilder, less, {
      simulate: (each) => simulateDeleverage(less, each),
      verifiable: {
        operation: 'lend-deleverage',
        ...base,
        swap: givenSwap(less.swap),
        repayAmount: this.#tokens(this.#debt, less.repay),
        withdrawAmount: this.#tokens(this.#collateral, withdraw),
      },
    });
    this.#fund(wallet, this.#debt, 3_000n);
    this.#cluster.advanceSlots();
    await this.#exit();
  }

  /** So many borrowed dollars, and the request in the words of the verifier. */
  #moreLeverage(dollars: bigint) {
    const wallet = this.#owner.address;
    const reserves = { collateralReserve: this.#collateral, debtReserve: this.#debt };
    const base = { wallet, market: this.#market, ...reserves };
    const borrow = this.#units(this.#debt, dollars);
    const more = {
      ...base,
      deposit: this.#units(this.#collateral, 50n),
      flashLoan: this.#units(this.#collateral, 100n),
      borrow,
      swap: sinkSwap({ cluster: this.#cluster, wallet }, this.#debt, borrow),
    };
    const verifiable: MultiplyRequest = {
      operation: 'lend-multiply',
      ...base,
      swap: givenSwap(more.swap),
      depositAmount: this.#tokens(this.#collateral, more.deposit),
      flashLoanAmount: this.#tokens(this.#collateral, more.flashLoan),
      borrowAmount: this.#tokens(this.#debt, borrow),
    };
    return { base, more, verifiable };
  }

  /** Compares the loan with the preview: the swap of the tests changes other balances. */
  async #leverage<Request extends object>(
    builder: Builder<Request>,
    request: Request,
    { simulate, verifiable }: { simulate: Simulate; verifiable: VerifiableRequest },
  ): Promise<void> {
    const { build, outcome } = this.#build(builder, request, simulate);
    await this.#report(build, verifiable);
    this.#execute(build, this.#owner);
    const account = this.#cluster.bank.account(this.#loan);
    if (account === undefined || !this.#isCurrent) return;
    const { deposits, borrows } = obligationLayout.decode(account);
    const amounts = {
      deposits: deposits.map(({ depositedAmount }) => depositedAmount),
      borrows: borrows.map(({ borrowedAmountSf }) => borrowedAmountSf),
    };
    expect(outcome.failure).toBeUndefined();
    expect({
      deposits: outcome.loan?.after?.deposits.map(({ depositedAmount }) => depositedAmount),
      borrows: outcome.loan?.after?.borrows.map(({ borrowedAmountSf }) => borrowedAmountSf),
    }).toEqual(amounts);
  }

  async #exit(): Promise<void> {
    const request = { wallet: this.#owner.address, market: this.#market };
    this.#atOpenSlot();
    const context = this.#cluster.buildContext({ ...loanExitPlanner, build: noBuild }, request);
    const planned = loanExitPlanner.plan(request, context);
    expect(planned.length).toBeGreaterThan(0);
    for (const { build, outcome } of planned) {
      await this.#report(build, { operation: 'lend-exit', ...request, maxAmount: '1000' });
      this.#execute(build, this.#owner, { outcome, closes: false });
    }
    this.#cluster.advanceSlots();
    expect(this.#cluster.bank.account(this.#loan)).toBeUndefined();
  }

  #openLoan(): void {
    const wallet = this.#owner.address;
    const request = { wallet, market: this.#market };
    const deposit = {
      ...request,
      reserve: this.#collateral,
      amount: this.#units(this.#collateral, 1_000n),
    };
    this.#execute(this.#build(depositBuilder, deposit).build, this.#owner);
    const borrow = { ...request, reserve: this.#debt, amount: this.#units(this.#debt, 300n) };
    this.#execute(this.#build(borrowBuilder, borrow).build, this.#owner);
  }

  async #report(build: TransactionPlan, request: VerifiableRequest): Promise<void> {
    const findAccount = (address: Address) => this.#cluster.bank.account(address);
    await this.#onBuild?.({ build, request, findAccount, cluster: this.#cluster });
  }

  #build<Request extends object>(builder: Builder<Request>, request: Request, simulate?: Simulate) {
    this.#atOpenSlot();
    const context = this.#cluster.buildContext(builder, request);
    const build = builder.build(request, context);
    const none: SimulationOutcome = { failure: undefined, tokens: [], lamports: 0n };
    return { build, outcome: simulate?.(context) ?? none };
  }

  /** Builders then see the slot in which the transaction is executed. */
  #atOpenSlot(): void {
    const { bank, state } = this.#cluster;
    state.setAt(bank.timeOf(toSlot(bank.slot + 1n)));
  }

  #execute(
    build: TransactionPlan,
    signer: Signer,
    { outcome, closes = true }: Expected = {},
  ): void {
    const before = this.#balances(signer.address);
    const result = this.#cluster.run(this.#cluster.sign(build, signer));
    const logs = result.kind === 'run' ? result.record.logs : [];
    expect(transactionOutcome(result), logs.join('\n')).toBe('success');
    if (result.kind !== 'run') return;
    this.#cluster.updateIndex(result.changes);
    expect(findViolations(this.#cluster.accountIndex)).toEqual([]);
    if (outcome !== undefined && this.#isCurrent) {
      const after = this.#balances(signer.address);
      expect(outcome.failure).toBeUndefined();
      expect(after.lamports - before.lamports + result.record.fee).toBe(outcome.lamports);
      const previewed = new Map(outcome.tokens.map(({ mint, change }) => [mint, change]));
      for (const mint of new Set([...before.tokens.keys(), ...after.tokens.keys()])) {
        const change = (after.tokens.get(mint) ?? 0n) - (before.tokens.get(mint) ?? 0n);
        expect(change, mint).toBe(previewed.get(mint) ?? 0n);
      }
    }
    if (closes) this.#cluster.advanceSlots();
  }

  #balances(wallet: Address): Balances {
    const { accountIndex } = this.#cluster;
    const tokens = new Map<Address, bigint>();
    for (const { mint, owner, amount } of accountIndex.token.values()) {
      if (owner === wallet) tokens.set(mint, (tokens.get(mint) ?? 0n) + amount);
    }
    return { lamports: accountIndex.lamports(wallet), tokens };
  }

  #liquidity(reserve: Address) {
    const fields = this.#cluster.state.reserve(reserve)?.fields;
    if (fields === undefined) throw new Error(`no reserve ${reserve}`);
    return fields.liquidity;
  }

  /** Base units of a token that are worth an amount of dollars. */
  #units(reserve: Address, dollars: bigint): bigint {
    const { marketPriceSf, mintDecimals } = this.#liquidity(reserve);
    return (dollars * ((10n ** mintDecimals) << 60n)) / marketPriceSf;
  }

  #tokens(reserve: Address, units: bigint): string {
    return formatUnits(units, Number(this.#liquidity(reserve).mintDecimals));
  }

  /** A wallet without loans, with 100 SOL. */
  #createWallet(name: string): Signer {
    const signer = createSigner(deriveSecretKey('plan run', name));
    const account = { owner: SYSTEM_PROGRAM, lamports: 10n ** 11n, data: new Uint8Array() };
    this.#cluster.bank.setAccount(signer.address, account);
    return signer;
  }

  #fund(wallet: Address, reserve: Address, dollars: bigint): void {
    const { mintPubkey: mint } = this.#liquidity(reserve);
    this.#cluster.fundWallet({ wallet, mint, amount: this.#units(reserve, dollars) });
  }
}

function noBuild(): never {
  throw new Error('a planner builds no single transaction');
}
