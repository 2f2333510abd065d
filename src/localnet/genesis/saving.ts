import { type Address, ZERO_ADDRESS } from '../../base/address.ts';
import { CodedError } from '../../base/errors.ts';
import { exchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import type { VaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { usedAllocations } from '../../protocol/kvault/math/holdings.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import { planInvest } from '../../protocol/kvault/operations/plan-invest.ts';
import { refreshVault, type VaultMoment } from '../../protocol/kvault/operations/refresh-vault.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { Farming } from './farming.ts';
import type { Ledger } from './ledger.ts';
import type { Lending } from './lending.ts';

type VaultDeposit = {
  readonly wallet: Address;
  readonly amount: bigint;
  /** Of the new shares, those that go into the vault's farm, in thousandths. */
  readonly stakedPermille: bigint;
};

/** The vaults, changed by the program's own operations alone, with the tokens and shares that move. */
export class Saving {
  readonly vaults = new Map<Address, VaultState>();
  readonly #ledger: Ledger;
  readonly #lending: Lending;
  readonly #farming: Farming;

  constructor(parts: { ledger: Ledger; lending: Lending; farming: Farming }) {
    this.#ledger = parts.ledger;
    this.#lending = parts.lending;
    this.#farming = parts.farming;
  }

  create(address: Address, vault: VaultState): void {
    const owner = vault.baseVaultAuthority;
    this.vaults.set(address, vault);
    this.#ledger.addMint(vault.sharesMint, {
      decimals: Number(vault.sharesMintDecimals),
      tokenProgram: TOKEN_PROGRAM,
      authority: owner,
    });
    this.#ledger.open(vault.tokenVault, { mint: vault.tokenMint, owner });
    for (const { reserve, ctokenVault } of usedAllocations(vault)) {
      const { mintPubkey: mint } = this.#lending.reserve(reserve).collateral;
      this.#ledger.open(ctokenVault, { mint, owner });
    }
  }

  /** The tokens come from outside of the cluster. */
  deposit(address: Address, { wallet, amount, stakedPermille }: VaultDeposit): void {
    const before = this.#vault(address);
    const done = depositToVault(before, this.#moment(before), amount);
    this.vaults.set(address, done.vault);
    const { tokenMint, tokenVault, sharesMint, vaultFarm } = before;
    const account = this.#ledger.of(wallet, tokenMint);
    const paid = done.tokenToDeposit + done.crankFundsToDeposit;
    this.#ledger.issue(account, paid);
    this.#ledger.move(account, tokenVault, paid);
    this.#ledger.issue(this.#ledger.of(wallet, sharesMint), done.sharesToMint);
    const staked = (done.sharesToMint * stakedPermille) / 1_000n;
    if (vaultFarm === ZERO_ADDRESS || staked === 0n) return;
    this.#farming.stake(vaultFarm, wallet, { amount: staked, time: this.#lending.time });
  }

  /** Puts idle tokens where the vault's weights say, one reserve after the other. Nothing is taken out. */
  invest(address: Address): void {
    for (const { reserve, ctokenVault } of usedAllocations(this.#vault(address))) {
      const vault = this.#vault(address);
      const plans = planInvest(vault, this.#moment(vault), new Set([reserve]));
      const outcome = plans.find((plan) => plan.reserve === reserve)?.outcome;
      if (outcome?.kind !== 'moves' || outcome.effects.direction !== 'add') continue;
      const { liquidityAmount, collateralAmount, roundingLoss } = outcome.effects;
      this.#ledger.issue(vault.tokenVault, roundingLoss);
      const move = { to: ctokenVault, amount: liquidityAmount };
      const minted = this.#lending.supply(reserve, vault.tokenVault, move);
      if (minted.collateral !== collateralAmount || minted.liquidity !== liquidityAmount) {
        throw unsound(`the reserve ${reserve} does not mint what the vault counts on`);
      }
      this.vaults.set(address, outcome.effects.vault);
    }
  }

  /** Fees charged up to now. */
  refreshAll(): void {
    for (const [address, vault] of this.vaults) {
      if (vault.sharesIssued === 0n) continue;
      this.vaults.set(address, refreshVault(vault, this.#moment(vault)).vault);
    }
  }

  #moment(vault: VaultState): VaultMoment {
    const exchanges = usedAllocations(vault).map(
      ({ reserve }) => [reserve, exchangeRate(this.#lending.refresh(reserve))] as const,
    );
    return { exchanges: new Map(exchanges), time: this.#lending.time };
  }

  #vault(address: Address): VaultState {
    const vault = this.vaults.get(address);
    if (vault === undefined) throw unsound(`there is no vault ${address}`);
    return vault;
  }
}

function unsound(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'genesis', reason });
}
