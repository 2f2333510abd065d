import type { VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import { toSlot } from '#core/base/time.ts';
import type { Builder } from '#core/builders/build.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import { repayBuilder } from '#core/builders/lending/repay-builder.ts';
import { withdrawBuilder } from '#core/builders/lending/withdraw-builder.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../localnet/simulated-genesis.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import { PlanRun } from '../random/plan-run.ts';
import { RandomCluster } from '../random/random-cluster.ts';
import { chainDataFrom, type VerifiedBuild } from './verified-build.ts';

/** A transaction that can be executed on the cluster for which it was built, without a change of the cluster. */
export type ExecutableBuild = { readonly build: VerifiedBuild; readonly cluster: RandomCluster };

type Visit = (executable: ExecutableBuild) => Promise<void>;

const options = () => ({
  genesis: simulatedGenesis('random operations'),
  executor: createModelExecutor(modelPrograms()),
});

/** Visits a transaction of each operation, at the slot for which it was built. */
export async function visitExecutableBuilds(visit: Visit): Promise<void> {
  await new OperationRun(visit).run();
  const plans = new PlanRun({
    ...options(),
    seed: '1',
    onBuild: async ({ build, request, findAccount, cluster }) => {
      const chainData = await chainDataFrom(findAccount, request);
      await visit({ build: { ...build, name: request.operation, request, chainData }, cluster });
    },
  });
  await plans.leverageAndExit();
}

class OperationRun {
  readonly #cluster = new RandomCluster({ ...options(), seed: 'operations' });
  readonly #visit: Visit;
  readonly #owner: Signer;

  constructor(visit: Visit) {
    this.#visit = visit;
    this.#owner = createSigner(deriveSecretKey('operation run', 'owner'));
    const account = { owner: SYSTEM_PROGRAM, lamports: 10n ** 11n, data: new Uint8Array() };
    this.#cluster.bank.setAccount(this.#owner.address, account);
  }

  async run(): Promise<void> {
    const { state } = this.#cluster;
    const wallet = this.#owner.address;
    const candidates = state.markets().map((market) => ({
      market,
      reserves: state.reservesOf(market.address).filter(({ fields }) => {
        const { config, liquidity } = fields;
        const isBorrowable = config.borrowLimit > 0n && config.loanToValuePct > 0;
        return isBorrowable && config.status === 0 && liquidity.totalAvailableAmount > 10n ** 8n;
      }),
    }));
    const found = candidates.find(({ reserves }) => reserves.length > 1);
    const [collateral, debt] = found?.reserves ?? [];
    if (found === undefined || !collateral || !debt) throw new Error('no reserves');
    const { market } = found;
    this.#fund(collateral.address, 2_000n);
    this.#fund(debt.address, 2_000n);
    this.#cluster.advanceWithMaintenance(10n);
    const lend = async (
      action: 'deposit' | 'borrow' | 'repay' | 'withdraw',
      reserve: Address,
      dollars: bigint | 'all',
    ) => {
      const builder = {
        deposit: depositBuilder,
        borrow: borrowBuilder,
        repay: repayBuilder,
        withdraw: withdrawBuilder,
      }[action];
      const amount = dollars === 'all' ? dollars : this.#units(reserve, dollars);
      const base = { wallet, market: market.address, reserve };
      await this.#run(
        builder,
        { ...base, amount },
        {
          operation: `lend-${action}`,
          ...base,
          amount: this.#tokens(reserve, amount),
          ...(action === 'withdraw' && { maxLtv: '0.9' }),
          ...(action === 'repay' && amount === 'all' && { maxAmount: '1000' }),
        },
      );
    };
    await lend('deposit', collateral.address, 1_000n);
    await lend('borrow', debt.address, 200n);
    await lend('repay', debt.address, 50n);
    await lend('withdraw', collateral.address, 100n);
    await lend('repay', debt.address, 'all');
    await lend('withdraw', collateral.address, 'all');
    await this.#runVault();
  }

  async #runVault(): Promise<void> {
    const { state } = this.#cluster;
    const wallet = this.#owner.address;
    const vault = state.vaults().find(({ fields }) => {
      const isOpen = fields.permissioningAuthority === SYSTEM_PROGRAM && fields.depositCap === 0n;
      const rewards = state.farm(fields.vaultFarm)?.fields.numRewardTokens ?? 0n;
      return isOpen && rewards > 0n && fields.tokenMintDecimals === 6n;
    });
    if (vault === undefined) throw new Error('no vault');
    const base = { wallet, vault: vault.address };
    const subject = { wallet, kvault: vault.address };
    const { tokenMint: mint } = vault.fields;
    this.#cluster.fundWallet({ wallet, mint, amount: 10_000_000_000n });
    this.#cluster.advanceSlots();
    const deposit = {
      operation: 'vault-deposit',
      ...subject,
      amount: '1000',
      stake: true,
    } as const;
    await this.#run(vaultDepositBuilder, { ...base, amount: 1_000_000_000n }, deposit);
    this.#cluster.advanceWithMaintenance(20_000n);
    const withdraw = { operation: 'vault-withdraw', ...subject } as const;
    const shares = { ...withdraw, amount: '100' };
    await this.#run(vaultWithdrawBuilder, { ...base, shares: 100_000_000n }, shares);
    const tokens = { ...withdraw, amount: '100', unit: 'tokens', maxShares: '100.2' } as const;
    await this.#run(vaultWithdrawBuilder, { ...base, tokens: 100_000_000n }, tokens);
    const claim = { operation: 'farm-claim', ...subject } as const;
    await this.#run(claimBuilder, base, claim);
    const all = { ...withdraw, amount: 'U64::MAX' };
    await this.#run(vaultWithdrawBuilder, { ...base, shares: 'all' }, all);
  }

  async #run<Request extends object>(
    builder: Builder<Request>,
    request: Request,
    verifiable: VerifiableRequest,
  ): Promise<void> {
    const { bank, state } = this.#cluster;
    state.setAt(bank.timeOf(toSlot(bank.slot + 1n)));
    const build = builder.build(request, this.#cluster.buildContext(builder, request));
    const chainData = await chainDataFrom((address) => bank.account(address), verifiable);
    const name = verifiable.operation;
    await this.#visit({
      build: { ...build, name, request: verifiable, chainData },
      cluster: this.#cluster,
    });
    const result = this.#cluster.run(this.#cluster.sign(build, this.#owner));
    if (transactionOutcome(result) !== 'success') throw new Error(`${name} fails`);
    this.#cluster.advanceSlots();
  }

  #liquidity(reserve: Address) {
    const fields = this.#cluster.state.reserve(reserve)?.fields;
    if (fields === undefined) throw new Error(`no reserve ${reserve}`);
    return fields.liquidity;
  }

  #units(reserve: Address, dollars: bigint): bigint {
    const { marketPriceSf, mintDecimals } = this.#liquidity(reserve);
    return (dollars * ((10n ** mintDecimals) << 60n)) / marketPriceSf;
  }

  #tokens(reserve: Address, units: bigint | 'all'): string {
    const { mintDecimals } = this.#liquidity(reserve);
    return units === 'all' ? 'U64::MAX' : formatUnits(units, Number(mintDecimals));
  }

  #fund(reserve: Address, dollars: bigint): void {
    const { mintPubkey: mint } = this.#liquidity(reserve);
    const amount = this.#units(reserve, dollars);
    this.#cluster.fundWallet({ wallet: this.#owner.address, mint, amount });
  }
}
