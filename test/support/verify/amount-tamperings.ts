import { changeLastNumber, editCall, findCall } from './edit-build.ts';
import { onInstructions, onMainCall, type Tampering } from './tampering.ts';
import { isEverything, type VerifiedBuild } from './verified-build.ts';

const U64_MAX = (1n << 64n) - 1n;

const changeMainAmount = (change: (amount: bigint) => bigint) =>
  onMainCall((build, name) =>
    name === 'harvestReward' || isEverything(build) ? undefined : changeAmount(build, name, change),
  );

/** The amount of a deposit is before its minimum of shares. */
const changeAmount = (
  build: VerifiedBuild,
  name: string,
  change: (amount: bigint) => bigint,
): VerifiedBuild | undefined =>
  name === 'depositWithMinSharesOut'
    ? changeLastNumber(build, [name, 16], (both) => {
        const minimum = both >> 64n;
        return (minimum << 64n) | (change(both & U64_MAX) & U64_MAX);
      })
    : changeLastNumber(build, [name, 8], change);

export const amountTamperings: readonly Tampering[] = [
  onInstructions(
    'a larger amount',
    'WRONG_AMOUNT',
    changeMainAmount((amount) => amount * 2n),
  ),
  onInstructions(
    'a smaller amount',
    'WRONG_AMOUNT',
    changeMainAmount((amount) => amount / 2n),
  ),
  onInstructions(
    'nothing',
    'WRONG_AMOUNT',
    changeMainAmount(() => 0n),
  ),
  onInstructions(
    'everything instead of an amount',
    'WRONG_AMOUNT',
    changeMainAmount(() => U64_MAX),
  ),
  onInstructions('an amount instead of everything', 'WRONG_AMOUNT', (build) =>
    isEverything(build) && !('kvault' in build.request)
      ? onMainCall((each, name) => changeLastNumber(each, [name, 8], () => 1n))(build)
      : undefined,
  ),
  onInstructions('one unit more', 'WRONG_AMOUNT', (build) =>
    // a withdrawal of cTokens has a tolerance
    findCall(build, 'withdrawObligationCollateralAndRedeemReserveCollateralV2') === undefined
      ? changeMainAmount((amount) => amount + 1n)(build)
      : undefined,
  ),
  onInstructions('cTokens worth a percent more', 'WRONG_AMOUNT', (build) =>
    isEverything(build)
      ? undefined
      : changeLastNumber(
          build,
          ['withdrawObligationCollateralAndRedeemReserveCollateralV2', 8],
          (amount) => amount + amount / 100n + 3n,
        ),
  ),
  onInstructions('more SOL is wrapped', 'WRONG_AMOUNT', (build) =>
    isEverything(build)
      ? undefined
      : changeLastNumber(build, ['transfer', 8], (amount) => amount + 1n),
  ),
  onInstructions('less SOL is wrapped', 'WRONG_AMOUNT', (build) =>
    isEverything(build)
      ? undefined
      : changeLastNumber(build, ['transfer', 8], (amount) => amount - 1n),
  ),
  onInstructions('more shares are unstaked', 'WRONG_AMOUNT', (build) =>
    isEverything(build)
      ? undefined
      : changeLastNumber(build, ['unstake', 16], (amount) => amount * 1_000_000n),
  ),
  onInstructions('only some shares are staked', 'WRONG_AMOUNT', (build) =>
    changeLastNumber(build, ['stake', 8], () => 1n),
  ),
  onInstructions('a deposit accepts fewer shares', 'WRONG_AMOUNT', (build) => {
    const call = findCall(build, 'depositWithMinSharesOut');
    // a vault that rejects the deposit now has no shares to expect
    if (call === undefined || call.data.subarray(16).every((byte) => byte === 0)) return undefined;
    return changeLastNumber(build, ['depositWithMinSharesOut', 8], (shares) => (shares * 9n) / 10n);
  }),
  onInstructions('data with a byte more', 'INVALID_INSTRUCTION_DATA', (build) =>
    onMainCall((each, name) =>
      editCall(each, name, (call) => ({ ...call, data: Uint8Array.from([...call.data, 0]) })),
    )(build),
  ),
  onInstructions('data with a byte less', 'INVALID_INSTRUCTION_DATA', (build) =>
    onMainCall((each, name) =>
      editCall(each, name, (call) => ({ ...call, data: call.data.slice(0, -1) })),
    )(build),
  ),
  onInstructions('another instruction of the program', 'UNEXPECTED_INSTRUCTION', (build) =>
    onMainCall((each, name) =>
      editCall(each, name, (call) => ({
        ...call,
        data: call.data.map((byte, i) => (i === 0 ? byte ^ 0xff : byte)),
      })),
    )(build),
  ),
  onInstructions('a lookup table is registered', 'INVALID_INSTRUCTION_DATA', (build) =>
    changeLastNumber(build, ['initUserMetadata', 32], () => 12345n),
  ),
  onInstructions('a loan of another kind is opened', 'WRONG_LOAN', (build) =>
    changeLastNumber(build, ['initObligation', 2], (seeds) => seeds + 1n),
  ),
  onInstructions('an account of the other farm is opened', 'INVALID_INSTRUCTION_DATA', (build) =>
    changeLastNumber(build, ['initObligationFarmsForReserve', 1], (mode) => 1n - mode),
  ),
];
