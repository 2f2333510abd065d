import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  type VaultAllocation,
  type VaultState,
  vaultState,
} from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { NEWEST_VAULT_RULES } from '#core/protocol/kvault/releases.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import { createKvaultProgram } from '#localnet/programs/kvault/kvault-program.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import {
  type ExecutionResult,
  executeInstructions,
} from '#localnet/runtime/execute-instructions.ts';
import type { Program, ProgramRegistry } from '#localnet/runtime/program.ts';
import { TransactionAccounts } from '#localnet/runtime/transaction-accounts.ts';
import { goldenCluster } from '../golden/golden.ts';
import { exampleTokenAccount } from '../localnet/example-token.ts';

const UNIT_LIMIT = 1_400_000;

/** The currently deployed versions. */
export const vaultPrograms = (
  more: readonly (readonly [Address, Program])[] = [],
): ProgramRegistry =>
  new Map([
    ...standardPrograms,
    [KLEND_PROGRAM, createKlendProgram()],
    [KVAULT_PROGRAM, createKvaultProgram(NEWEST_VAULT_RULES)],
    ...more,
  ]);

/** The golden cluster with the program models. */
export class VaultCluster {
  readonly accounts: Map<Address, ClusterAccount>;
  programs = vaultPrograms();
  at: ChainTime;

  constructor({ accounts, at } = goldenCluster()) {
    this.accounts = new Map(accounts);
    this.at = at;
  }

  /** Runs one transaction without fees. A failed transaction changes nothing. */
  run(...instructions: readonly Instruction[]): ExecutionResult {
    const live = new TransactionAccounts({ account: (address) => this.accounts.get(address) });
    const { programs, at: time } = this;
    const ran = executeInstructions({
      programs,
      accounts: live,
      time,
      instructions,
      unitLimit: UNIT_LIMIT,
    });
    if (ran.error !== undefined) return ran;
    for (const [address, account] of live.changes()) {
      if (account === undefined) this.accounts.delete(address);
      else this.accounts.set(address, account);
    }
    return ran;
  }

  wait(slots: bigint): void {
    const { slot, unix } = this.at;
    this.at = { slot: toSlot(slot + slots), unix: toUnixSeconds(unix + (slots * 2n) / 5n) };
  }

  get(address: Address): ClusterAccount {
    const account = this.accounts.get(address);
    if (account === undefined) throw new Error(`${address} does not exist`);
    return account;
  }

  vault(address: Address): VaultState {
    return vaultState.decode(this.get(address));
  }

  reserve(address: Address): Reserve {
    return reserve.decode(this.get(address));
  }

  /** 0 if the account does not exist. */
  balance(address: Address): bigint {
    const account = this.accounts.get(address);
    return account === undefined ? 0n : tokenAccount.decode(account).amount;
  }

  supply(address: Address): bigint {
    return mint.decode(this.get(address)).supply;
  }

  changeVault(address: Address, changes: Partial<VaultState>): void {
    const data = vaultState.encode({ ...this.vault(address), ...changes });
    this.accounts.set(address, { ...this.get(address), data });
  }

  changeAllocation(address: Address, index: number, changes: Partial<VaultAllocation>): void {
    const { vaultAllocationStrategy } = this.vault(address);
    this.changeVault(address, {
      vaultAllocationStrategy: vaultAllocationStrategy.map((each, i) =>
        i === index ? { ...each, ...changes } : each,
      ),
    });
  }

  changeReserve(address: Address, change: (fields: Reserve) => Reserve): void {
    const data = reserve.encode(change(this.reserve(address)));
    this.accounts.set(address, { ...this.get(address), data });
  }

  /** Creates the wallet's token account with a balance. */
  fund(owner: Address, ofMint: Address, amount: bigint): Address {
    const address = associatedTokenAddress(owner, ofMint, TOKEN_PROGRAM);
    const account = exampleTokenAccount({
      mint: ofMint,
      owner,
      tokenProgram: TOKEN_PROGRAM,
      amount,
    });
    this.accounts.set(address, account);
    return address;
  }
}

/** The reserves of a vault in the order of its allocations. */
export const reservesOf = (vault: VaultState): Address[] =>
  vault.vaultAllocationStrategy.flatMap((each) =>
    each.reserve === ZERO_ADDRESS ? [] : [each.reserve],
  );
