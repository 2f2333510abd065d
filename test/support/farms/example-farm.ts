import { type Address, addressFromBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { ChainTime } from '#core/base/time.ts';
import { type FarmState, farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { type UserState, userState } from '#core/protocol/farms/layout/user-state.ts';
import {
  farmVault,
  farmVaultsAuthority,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
  userStateAddress,
} from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { mint as mintLayout } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { farmsProgram } from '#localnet/programs/farms/farms-program.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { exampleRentLamports, exampleTokenAccount } from '../localnet/example-token.ts';
import { farmWith, rewardWith } from './farm-accounts.ts';
import { runFarms } from './run-farms.ts';

export const repeatedByteAddress = (n: number): Address =>
  addressFromBytes(new Uint8Array(32).fill(n));

export const FARM = repeatedByteAddress(1);
export const CONFIG = repeatedByteAddress(2);
export const STAKED_MINT = repeatedByteAddress(3);
export const REWARD_MINTS = [repeatedByteAddress(4), repeatedByteAddress(5)] as const;
export const ADMIN = repeatedByteAddress(6);
export const WALLETS = [
  repeatedByteAddress(11),
  repeatedByteAddress(12),
  repeatedByteAddress(13),
] as const;
export const FARM_VAULT = farmVault(FARM, STAKED_MINT);
export const VAULTS_AUTHORITY = farmVaultsAuthority(FARM);
export const REWARD_VAULTS = REWARD_MINTS.map((mint) => rewardVault(FARM, mint));
export const TREASURY_VAULTS = REWARD_MINTS.map((mint) => treasuryVault(CONFIG, mint));
/** The staked tokens of every wallet, and the reward tokens of each reward vault. */
export const INITIAL_BALANCE = 1_000_000n;
/** 10 % of a harvest. */
const TREASURY_FEE_BPS = 1_000n;

const TREASURY = treasuryVaultsAuthority(CONFIG);

export const ataOf = (wallet: Address, mint: Address): Address =>
  associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);

export const userStateOf = (wallet: Address): Address => userStateAddress(FARM, wallet);

/** A farm with two rewards, its token accounts and funded wallets. */
export class ExampleFarm {
  readonly accounts = new Map<Address, GoldenAccount>();
  program = farmsProgram;

  constructor(fields: Partial<FarmState> = {}) {
    this.setFarm(FARM, fields);
    this.setToken(FARM_VAULT, { mint: STAKED_MINT, owner: VAULTS_AUTHORITY, amount: 0n });
    this.#putConfig();
    for (const mint of [STAKED_MINT, ...REWARD_MINTS]) this.#putMint(mint);
    for (const wallet of WALLETS) this.#putWallet(wallet);
  }

  /** Runs instructions in one transaction. Returns its error, or undefined on success. */
  run(at: ChainTime, ...instructions: readonly Instruction[]) {
    const { program, accounts } = this;
    const ran = runFarms({ program, accounts, at, instructions });
    if (ran.error !== undefined) return ran.error;
    for (const [address, account] of ran.live.changes()) {
      if (account === undefined) this.accounts.delete(address);
      else this.accounts.set(address, account);
    }
    return undefined;
  }

  /** The logs of an instruction, without applying its changes. */
  logsOf(at: ChainTime, call: Instruction): readonly string[] {
    const instructions = [call];
    const { program, accounts } = this;
    return runFarms({ program, accounts, at, instructions }).logs;
  }

  get farm(): FarmState {
    return farmState.decode(this.#account(FARM));
  }

  user(wallet: Address): UserState {
    return userState.decode(this.#account(userStateOf(wallet)));
  }

  hasAccount(address: Address): boolean {
    return this.accounts.has(address);
  }

  balance(address: Address): bigint {
    return tokenAccount.decode(this.#account(address)).amount;
  }

  setFarm(address: Address, fields: Partial<FarmState>): void {
    const rewards = REWARD_MINTS.map((mint, i) => {
      const rewardsVault = rewardVault(FARM, mint);
      this.setToken(rewardsVault, { mint, owner: VAULTS_AUTHORITY, amount: INITIAL_BALANCE });
      const token = {
        mint,
        decimals: 6n,
        tokenProgram: TOKEN_PROGRAM,
        padding: new Uint8Array(48),
      };
      const rewardsAvailable = toLamports(INITIAL_BALANCE);
      return rewardWith({ token, rewardsVault, rewardsAvailable, rewardsPerSecondDecimals: i });
    });
    const farm = farmWith(
      {
        farmAdmin: ADMIN,
        globalConfig: CONFIG,
        farmVault: FARM_VAULT,
        farmVaultsAuthority: VAULTS_AUTHORITY,
        token: {
          mint: STAKED_MINT,
          decimals: 6n,
          tokenProgram: TOKEN_PROGRAM,
          padding: new Uint8Array(48),
        },
        ...fields,
      },
      rewards,
    );
    this.#put(address, FARMS_PROGRAM, farmState.encode(farm));
  }

  changeFarm(fields: Partial<FarmState>): void {
    this.#put(FARM, FARMS_PROGRAM, farmState.encode({ ...this.farm, ...fields }));
  }

  changeUser(wallet: Address, fields: Partial<UserState>): void {
    const data = userState.encode({ ...this.user(wallet), ...fields });
    this.#put(userStateOf(wallet), FARMS_PROGRAM, data);
  }

  setToken(address: Address, fields: { mint: Address; owner: Address; amount: bigint }): void {
    this.accounts.set(address, exampleTokenAccount({ ...fields, tokenProgram: TOKEN_PROGRAM }));
  }

  changeToken(address: Address, fields: Partial<ReturnType<typeof tokenAccount.decode>>): void {
    const old = this.#account(address);
    const data = tokenAccount.encode({ ...tokenAccount.decode(old), ...fields });
    this.accounts.set(address, { ...old, data });
  }

  fundWallet(owner: Address, address: Address): void {
    this.accounts.set(address, { ...this.#account(address), owner });
  }

  #putConfig(): void {
    const empty = new DataView(new ArrayBuffer(globalConfig.body.size));
    const fields = { treasuryFeeBps: TREASURY_FEE_BPS, treasuryVaultsAuthority: TREASURY };
    const data = globalConfig.encode({ ...globalConfig.body.decode(empty, 0), ...fields });
    this.#put(CONFIG, FARMS_PROGRAM, data);
    for (const mint of REWARD_MINTS) {
      this.setToken(treasuryVault(CONFIG, mint), { mint, owner: TREASURY, amount: 0n });
    }
  }

  #putMint(address: Address): void {
    const data = mintLayout.encode({
      mintAuthorityTag: 0,
      mintAuthority: ZERO_ADDRESS,
      supply: toLamports(U64_MAX),
      decimals: 6,
      isInitialized: 1,
      freezeAuthorityTag: 0,
      freezeAuthority: ZERO_ADDRESS,
      extensions: undefined,
    });
    this.#put(address, TOKEN_PROGRAM, data);
  }

  #putWallet(owner: Address): void {
    const lamports = 10n ** 10n;
    this.accounts.set(owner, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array() });
    this.setToken(ataOf(owner, STAKED_MINT), { mint: STAKED_MINT, owner, amount: INITIAL_BALANCE });
    for (const mint of REWARD_MINTS) this.setToken(ataOf(owner, mint), { mint, owner, amount: 0n });
  }

  #put(address: Address, owner: Address, data: Uint8Array): void {
    this.accounts.set(address, { owner, lamports: exampleRentLamports(data), data });
  }

  #account(address: Address): GoldenAccount {
    const account = this.accounts.get(address);
    if (account === undefined) throw new Error(`there is no ${address}`);
    return account;
  }
}
