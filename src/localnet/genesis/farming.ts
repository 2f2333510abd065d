import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts';
import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/lamports.ts';
import type { ChainTime } from '../../base/time.ts';
import { type FarmState, farmState } from '../../protocol/farms/layout/farm-state.ts';
import type { UserState } from '../../protocol/farms/layout/user-state.ts';
import type { FarmPosition } from '../../protocol/farms/operations/farm-position.ts';
import { harvestReward } from '../../protocol/farms/operations/harvest-reward.ts';
import { initializeUser } from '../../protocol/farms/operations/initialize-user.ts';
import { refreshFarm } from '../../protocol/farms/operations/refresh-farm.ts';
import { refreshUserState } from '../../protocol/farms/operations/refresh-user-state.ts';
import { setStakeDelegated } from '../../protocol/farms/operations/set-stake-delegated.ts';
import { stake } from '../../protocol/farms/operations/stake.ts';
import {
  farmVault,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
} from '../../protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { blank } from './blank.ts';
import { derived } from './derived.ts';
import type { Ledger } from './ledger.ts';
import type { RewardSpec } from './market-specs.ts';
import { tokenOf } from './tokens.ts';

/** Where the farms program has its settings on mainnet; no derived address. */
export const FARMS_GLOBAL_CONFIG = toAddress('6UodrBjL2ZreDy7QdR4YV1oxqMBjVYSEyrFpctqqwGwL');

/** Of what users harvest. */
export const TREASURY_FEE_BPS = 0n;

/** Every farm is filled for that long. */
const FUNDED_DAYS = 400n;
const DAY_SECONDS = 86_400n;
/** Rates are in thousandths of a lamport per second. */
const RATE_DECIMALS = 3;

type NewFarm = {
  readonly address: Address;
  readonly admin: Address;
  readonly reward: RewardSpec;
  readonly time: ChainTime;
} & (
  | { readonly kind: 'delegated'; readonly authority: Address }
  | { readonly kind: 'staked'; readonly mint: Address; readonly decimals: number }
);

/** All farms and stakes, with the tokens that they hold. */
export class Farming {
  readonly farms = new Map<Address, FarmState>();
  readonly users = new Map<Address, UserState>();
  readonly #treasuries = new Set<Address>();
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  create(farm: NewFarm): void {
    const { address, reward } = farm;
    const { mint } = tokenOf(reward.symbol);
    const vaultsAuthority = derived('authority', [address], FARMS_PROGRAM);
    const rewards = rewardVault(address, mint);
    const state = newFarm(farm, vaultsAuthority);
    this.farms.set(address, state);
    this.#ledger.open(rewards, { mint, owner: vaultsAuthority.address });
    this.#ledger.issue(rewards, state.rewardInfos[0]?.rewardsAvailable ?? 0n);
    this.#openTreasury(mint);
    if (farm.kind === 'delegated') return;
    this.#ledger.open(state.farmVault, { mint: farm.mint, owner: vaultsAuthority.address });
  }

  /** Another program says what a position is worth to its farm. */
  setStake(farm: Address, who: Staker, { amount, time }: Stake): void {
    if (farm === ZERO_ADDRESS) return;
    if (amount === 0n && !this.users.has(userAddress(farm, who.delegatee).address)) return;
    this.#update(farm, { who, time }, (position) =>
      setStakeDelegated(position, amount, { at: time }),
    );
  }

  /** Moves tokens of the wallet into the farm. */
  stake(farm: Address, wallet: Address, { amount, time }: Stake): void {
    const who = { owner: wallet, delegatee: wallet };
    const { farmVault: vault, token } = this.#farm(farm);
    this.#update(farm, { who, time }, (position) => stake(position, amount, { at: time }));
    this.#ledger.move(this.#ledger.of(wallet, token.mint), vault, amount);
  }

  harvest(farm: Address, who: Staker, time: ChainTime): void {
    const harvest = { rewardIndex: 0, treasuryFeeBps: TREASURY_FEE_BPS };
    const mint = this.#farm(farm).rewardInfos[0]?.token.mint ?? ZERO_ADDRESS;
    this.#update(farm, { who, time }, (position) => {
      const { payout, ...after } = harvestReward(position, harvest, { at: time });
      this.#ledger.move(rewardVault(farm, mint), this.#ledger.of(who.owner, mint), payout.user);
      return after;
    });
  }

  refreshAll(time: ChainTime): void {
    for (const [address, farm] of this.farms) {
      this.farms.set(address, refreshFarm(farm, { at: time }));
    }
    for (const [address, user] of this.users) {
      const farm = this.#farm(user.farmState);
      const after = refreshUserState({ farm, user }, { at: time });
      this.farms.set(user.farmState, after.farm);
      this.users.set(address, after.user);
    }
  }

  /** Where the program's part of a reward goes: one for all farms, without which nobody can harvest. */
  #openTreasury(mint: Address): void {
    const treasury = treasuryVault(FARMS_GLOBAL_CONFIG, mint);
    if (this.#treasuries.has(treasury)) return;
    this.#treasuries.add(treasury);
    this.#ledger.open(treasury, { mint, owner: treasuryVaultsAuthority(FARMS_GLOBAL_CONFIG) });
  }

  /** The stake is opened first if it is not there. */
  #update(
    address: Address,
    { who, time }: { who: Staker; time: ChainTime },
    change: (position: FarmPosition) => FarmPosition,
  ): void {
    const farm = this.#farm(address);
    const { address: place, bump } = userAddress(address, who.delegatee);
    const user = this.users.get(place);
    const opened =
      user === undefined
        ? initializeUser(farm, { farmState: address, ...who, bump }, { at: time })
        : { farm, user };
    const after = change(opened);
    this.farms.set(address, after.farm);
    this.users.set(place, after.user);
  }

  #farm(address: Address): FarmState {
    const farm = this.farms.get(address);
    if (farm !== undefined) return farm;
    throw new CodedError('MALFORMED_DATA', { what: 'genesis', reason: `no farm ${address}` });
  }
}

export type Staker = { readonly owner: Address; readonly delegatee: Address };

type Stake = { readonly amount: bigint; readonly time: ChainTime };

const userAddress = (farm: Address, delegatee: Address) =>
  derived('user', [farm, delegatee], FARMS_PROGRAM);

function newFarm(farm: NewFarm, vaultsAuthority: ReturnType<typeof derived>): FarmState {
  const empty = blank(farmState.body);
  const { address, admin, reward, time } = farm;
  const unused = empty.rewardInfos.map((info) => withCurve(info, 0n));
  const isDelegated = farm.kind === 'delegated';
  return {
    ...empty,
    farmAdmin: admin,
    globalConfig: FARMS_GLOBAL_CONFIG,
    token: isDelegated
      ? empty.token
      : {
          ...empty.token,
          mint: farm.mint,
          decimals: BigInt(farm.decimals),
          tokenProgram: TOKEN_PROGRAM,
        },
    rewardInfos: unused.map((info, i) =>
      i === 0 ? fundedReward(info, address, { reward, time }) : info,
    ),
    numRewardTokens: 1n,
    farmVault: isDelegated ? ZERO_ADDRESS : farmVault(address, farm.mint),
    farmVaultsAuthority: vaultsAuthority.address,
    farmVaultsAuthorityBump: BigInt(vaultsAuthority.bump),
    delegateAuthority: isDelegated ? farm.authority : ZERO_ADDRESS,
    isFarmDelegated: isDelegated ? 1 : 0,
    scopeOraclePriceId: U64_MAX,
    pendingFarmAdmin: admin,
  };
}

type RewardInfo = FarmState['rewardInfos'][number];

function fundedReward(
  unused: RewardInfo,
  farm: Address,
  { reward, time }: { reward: RewardSpec; time: ChainTime },
): RewardInfo {
  const token = tokenOf(reward.symbol);
  const perDay = reward.perDay * 10n ** BigInt(token.decimals);
  const rate = (perDay * 10n ** BigInt(RATE_DECIMALS)) / DAY_SECONDS;
  return {
    ...withCurve(unused, rate),
    token: {
      ...unused.token,
      mint: token.mint,
      decimals: BigInt(token.decimals),
      tokenProgram: token.tokenProgram,
    },
    rewardsVault: rewardVault(farm, token.mint),
    rewardsAvailable: toLamports(perDay * FUNDED_DAYS),
    lastIssuanceTs: time.unix,
    rewardsPerSecondDecimals: RATE_DECIMALS,
  };
}

/** One rate from the beginning of time. */
function withCurve(info: RewardInfo, rewardPerTimeUnit: bigint): RewardInfo {
  const points = info.rewardScheduleCurve.points.map((_, i) =>
    i === 0 ? { tsStart: 0n, rewardPerTimeUnit } : { tsStart: U64_MAX, rewardPerTimeUnit: 0n },
  );
  return { ...info, rewardScheduleCurve: { points } };
}
