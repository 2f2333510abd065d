import type { VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import { toSlot } from '#core/base/time.ts';
import type { Build, Builder } from '#core/builders/build.ts';
import type { Planner } from '#core/builders/plans/exit-planner.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import { RandomCluster, type TransactionPlan } from '../random/random-cluster.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

/** A transaction that can be executed on the cluster for which it was built, without a change of the cluster. */
export type ExecutableBuild = { readonly build: VerifiedBuild; readonly cluster: RandomCluster };

export type Visit = (executable: ExecutableBuild) => Promise<void>;

export const clusterOptions = () => ({
  genesis: simulatedGenesis('random operations'),
  executor: createModelExecutor(modelPrograms()),
});

/** A cluster on which transactions of a wallet are built, visited and then executed, one per slot. */
export class BuildRun {
  readonly cluster: RandomCluster;
  readonly owner: Signer;
  readonly #visit: Visit;

  constructor(
    name: string,
    visit: Visit,
    cluster = new RandomCluster({ ...clusterOptions(), seed: name }),
  ) {
    this.cluster = cluster;
    this.#visit = visit;
    this.owner = this.createWallet(`owner of ${name}`);
  }

  get wallet(): Address {
    return this.owner.address;
  }

  /** With 100 SOL. */
  createWallet(name: string): Signer {
    const signer = createSigner(deriveSecretKey('build run', name));
    const account = { owner: SYSTEM_PROGRAM, lamports: 10n ** 11n, data: new Uint8Array() };
    this.cluster.bank.setAccount(signer.address, account);
    return signer;
  }

  async run<Request extends object>(
    builder: Builder<Request>,
    request: Request,
    verifiable: VerifiableRequest,
  ): Promise<void> {
    const build = this.build(builder, request);
    await this.visit(build, verifiable);
    this.execute(build, verifiable.operation);
  }

  build<Request extends object>(builder: Builder<Request>, request: Request): Build {
    this.#atOpenSlot();
    return builder.build(request, this.cluster.buildContext(builder, request));
  }

  /** All transactions of a plan, each built on what the one before leaves. */
  async runPlan<Request extends object>(
    planner: Planner<Request>,
    request: Request,
    verifiableOf: (build: TransactionPlan) => VerifiableRequest,
  ): Promise<void> {
    this.#atOpenSlot();
    const loading = { ...planner, build: noBuild };
    const planned = planner.plan(request, this.cluster.buildContext(loading, request));
    for (const { build } of planned) {
      const verifiable = verifiableOf(build);
      await this.visit(build, verifiable);
      this.execute(build, verifiable.operation, { closes: false });
    }
    this.cluster.advanceSlots();
  }

  async visit(build: TransactionPlan, request: VerifiableRequest): Promise<void> {
    const { cluster } = this;
    const chainData = await chainDataFrom((address) => cluster.bank.account(address), request);
    const name = request.operation;
    await this.#visit({ build: { ...build, name, request, chainData }, cluster });
  }

  execute(build: TransactionPlan, name: string, { closes = true } = {}): void {
    const result = this.cluster.run(this.cluster.sign(build, this.owner));
    const outcome = transactionOutcome(result);
    if (outcome !== 'success') throw new Error(`${name}: ${outcome}`);
    if (closes) this.cluster.advanceSlots();
  }

  liquidity(reserve: Address) {
    const fields = this.cluster.state.reserve(reserve)?.fields;
    if (fields === undefined) throw new Error(`no reserve ${reserve}`);
    return fields.liquidity;
  }

  /** Smallest units that are worth an amount of dollars. */
  units(reserve: Address, dollars: bigint): bigint {
    const { marketPriceSf, mintDecimals } = this.liquidity(reserve);
    return (dollars * ((10n ** mintDecimals) << 60n)) / marketPriceSf;
  }

  tokens(reserve: Address, units: bigint | 'all'): string {
    const { mintDecimals } = this.liquidity(reserve);
    return units === 'all' ? 'U64::MAX' : formatUnits(units, Number(mintDecimals));
  }

  fund(reserve: Address, dollars: bigint, wallet = this.wallet): void {
    const { mintPubkey: mint } = this.liquidity(reserve);
    this.cluster.fundWallet({ wallet, mint, amount: this.units(reserve, dollars) });
  }

  /** Reserves of one market that take deposits and have something to borrow. */
  lendingReserves(): { readonly market: Address; readonly reserves: readonly Address[] } {
    const { state } = this.cluster;
    const candidates = state.markets().map(({ address: market }) => ({
      market,
      reserves: state.reservesOf(market).filter(({ fields: { config, liquidity } }) => {
        const isBorrowable = config.borrowLimit > 0n && config.loanToValuePct > 0;
        return isBorrowable && config.status === 0 && liquidity.totalAvailableAmount > 10n ** 8n;
      }),
    }));
    const found = candidates.find(({ reserves }) => reserves.length > 1);
    if (found === undefined) throw new Error('no reserves');
    return { market: found.market, reserves: found.reserves.map(({ address }) => address) };
  }

  /** Builders then see the slot in which the transaction is executed. */
  #atOpenSlot(): void {
    const { bank, state } = this.cluster;
    state.setAt(bank.timeOf(toSlot(bank.slot + 1n)));
  }
}

function noBuild(): never {
  throw new Error('a planner builds no single transaction');
}
