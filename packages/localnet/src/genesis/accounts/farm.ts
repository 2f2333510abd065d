import {
  type Address,
  type ChainTime,
  toAddress,
  toLamports,
  U64_MAX,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import {
  FARMS_PROGRAM,
  farmVault,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
} from '@tidegate/core/protocol/farms';
import { type FarmState, farmState } from '@tidegate/core/protocol/farms/layout';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { RewardSpec } from '../specs/market-specs.ts';
import { tokenBySymbol } from '../specs/token-specs.ts';
import { derivedAddress } from './derived-address.ts';
import { emptyAccount } from './empty-account.ts';
import type { TokenLedger } from './token-ledger.ts';

/** The config address on mainnet; it is not derived. */
export const FARMS_GLOBAL_CONFIG = toAddress('6UodrBjL2ZreDy7QdR4YV1oxqMBjVYSEyrFpctqqwGwL');

/** Share of harvested rewards. */
export const TREASURY_FEE_BPS = 0n;

const DAY_SECONDS = 86_400n;
/** Rates are in thousandths of a lamport per second. */
const RATE_DECIMALS = 3;

type FarmOptions = {
  readonly address: Address;
  readonly admin: Address;
  readonly reward: RewardSpec;
  readonly time: ChainTime;
  readonly fundedDays: number;
} & (
  | { readonly kind: 'delegated'; readonly authority: Address }
  | { readonly kind: 'staked'; readonly mint: Address; readonly decimals: number }
);

/** Creates a farm and its token accounts, funded for that many days. */
export function createFarm(ledger: TokenLedger, farm: FarmOptions): FarmState {
  const { address, reward } = farm;
  const { mint } = tokenBySymbol(reward.symbol);
  const vaultsAuthority = derivedAddress('authority', [address], FARMS_PROGRAM);
  const rewards = rewardVault(address, mint);
  const state = createFarmState(farm, vaultsAuthority);
  ledger.openAccount(rewards, { mint, owner: vaultsAuthority.address });
  ledger.issue(rewards, state.rewardInfos[0]?.rewardsAvailable ?? 0n);
  openTreasury(ledger, mint);
  if (farm.kind === 'staked') {
    ledger.openAccount(state.farmVault, { mint: farm.mint, owner: vaultsAuthority.address });
  }
  return state;
}

/** Receives the treasury fee. All farms share it, and harvesting requires it. */
function openTreasury(ledger: TokenLedger, mint: Address): void {
  const treasury = treasuryVault(FARMS_GLOBAL_CONFIG, mint);
  if (ledger.has(treasury)) return;
  ledger.openAccount(treasury, { mint, owner: treasuryVaultsAuthority(FARMS_GLOBAL_CONFIG) });
}

function createFarmState(
  farm: FarmOptions,
  vaultsAuthority: ReturnType<typeof derivedAddress>,
): FarmState {
  const empty = emptyAccount(farmState.body);
  const { address, admin } = farm;
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
    rewardInfos: unused.map((info, i) => (i === 0 ? fundedReward(info, farm) : info)),
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
  { address, reward, time, fundedDays }: FarmOptions,
): RewardInfo {
  const token = tokenBySymbol(reward.symbol);
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
    rewardsVault: rewardVault(address, token.mint),
    rewardsAvailable: toLamports(perDay * BigInt(fundedDays)),
    lastIssuanceTs: time.unix,
    rewardsPerSecondDecimals: RATE_DECIMALS,
  };
}

/** A constant rate. */
function withCurve(info: RewardInfo, rewardPerTimeUnit: bigint): RewardInfo {
  const points = info.rewardScheduleCurve.points.map((_, i) =>
    i === 0 ? { tsStart: 0n, rewardPerTimeUnit } : { tsStart: U64_MAX, rewardPerTimeUnit: 0n },
  );
  return { ...info, rewardScheduleCurve: { points } };
}
