import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenCluster } from '../../../support/golden/golden.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  giveUpPendingFeesInstruction,
  investInstruction,
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  type VaultInstructionAccounts,
  vaultInstructionAccounts,
  withdrawFromAvailableInstruction,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';
import {
  collateralValueSf,
  referenceNetAssetsSf,
} from '../../../support/vaults/vault-reference.ts';

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const RESERVES = [
  toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9'),
  toAddress('6fiUy5cgqsRwHX86kHk9Xza9yPPpz5rxN7SVTG9v5jyc'),
] as const;
const WALLETS = [1, 2, 3].map(numberedAddress);
const BITS = 60n;
/** Of what the figures here are rounded by, in parts of 2^60 lamports. */
const DUST = 64n;

type Act =
  | { readonly kind: 'deposit'; readonly wallet: Address; readonly amount: bigint }
  | {
      readonly kind: 'fromAvailable' | 'withdraw' | 'inKind';
      readonly wallet: Address;
      readonly reserve: Address;
      /** Of 1000. */
      readonly part: bigint;
    }
  | { readonly kind: 'invest' | 'fees'; readonly reserve: Address }
  | { readonly kind: 'wait'; readonly slots: bigint };

const wallet = fc.constantFrom(...WALLETS);
const reserve = fc.constantFrom(...RESERVES);
const part = fc.bigInt(0n, 1000n);
/** None, or enough for the crank: less of it stops the program. */
const amount = fc.oneof(fc.constant(0n), fc.bigInt(10n, 5_000n), fc.bigInt(10n, 1n << 42n));

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('deposit'), wallet, amount }),
  fc.record({
    kind: fc.constantFrom('fromAvailable', 'withdraw', 'inKind'),
    ...{ wallet, reserve, part },
  }),
  fc.record({ kind: fc.constantFrom('invest', 'fees'), reserve }),
  fc.record({ kind: fc.constant('wait'), slots: fc.bigInt(1n, 1_000_000n) }),
);

/** What leaving and moving the funds cost. */
const terms = fc.record({
  withdrawalPenaltyBps: fc.constantFrom(0n, 30n),
  withdrawalPenaltyLamports: fc.constantFrom(0n, 7n).map(toLamports),
  crankFundFeePerReserve: fc.constantFrom(0n, 3n).map(toLamports),
});

const tokenOf = (owner: Address, mint: Address) =>
  associatedTokenAddress(owner, mint, TOKEN_PROGRAM);

function asked(
  cluster: VaultCluster,
  scene: VaultInstructionAccounts,
  act: Exclude<Act, { kind: 'wait' }>,
) {
  if (act.kind === 'deposit') return kvaultDepositInstruction(scene, act.wallet, act.amount);
  if (!('part' in act)) {
    return act.kind === 'invest'
      ? investInstruction(scene, ADMIN, act)
      : withdrawPendingFeesInstruction(scene, ADMIN, act.reserve);
  }
  const shares =
    (cluster.balance(tokenOf(act.wallet, scene.accounts.sharesMint)) * act.part) / 1000n;
  const from = { user: act.wallet, reserve: act.reserve };
  if (act.kind === 'fromAvailable')
    return withdrawFromAvailableInstruction(scene, act.wallet, shares);
  return act.kind === 'withdraw'
    ? kvaultWithdrawInstruction(scene, from, shares)
    : redeemInKindInstruction(scene, from, shares);
}

/** All that there is of the token in the accounts that can have moved. */
function allTokens(cluster: VaultCluster, scene: VaultInstructionAccounts): bigint {
  const { tokenMint, tokenVault } = scene.accounts;
  const places = [
    tokenVault,
    ...RESERVES.map((each) => scene.lending(each).reserveLiquiditySupply),
    ...[...WALLETS, ADMIN].map((each) => tokenOf(each, tokenMint)),
  ];
  return places.reduce((sum, place) => sum + cluster.balance(place), 0n);
}

const sharesOf = (cluster: VaultCluster, scene: VaultInstructionAccounts): bigint[] =>
  WALLETS.map((each) => cluster.balance(tokenOf(each, scene.accounts.sharesMint)));

/** The books of the vault are those of the token program, and nothing is there that nobody owns. */
function checkBooks(
  cluster: VaultCluster,
  scene: VaultInstructionAccounts,
  elsewhere: bigint,
): void {
  const vault = cluster.vault(VAULT);
  const { tokenVault, sharesMint } = scene.accounts;
  expect(cluster.balance(tokenVault)).toBe(vault.tokenAvailable + vault.availableCrankFunds);
  expect(cluster.supply(sharesMint)).toBe(vault.sharesIssued);
  RESERVES.forEach((each, i) => {
    const { ctokenVault } = scene.lending(each);
    const { ctokenAllocation } = vault.vaultAllocationStrategy[i] ?? {};
    expect(cluster.balance(ctokenVault)).toBe(ctokenAllocation);
  });
  const holders = [...sharesOf(cluster, scene), elsewhere];
  expect(holders.reduce((sum, shares) => sum + shares, 0n)).toBe(vault.sharesIssued);
  const assets = referenceNetAssetsSf(cluster, VAULT);
  const worth = holders.map((shares) => (shares * assets) / vault.sharesIssued);
  const total = worth.reduce((sum, each) => sum + each, 0n);
  expect(assets - total).toBeLessThan(BigInt(holders.length));
  expect(assets).toBeGreaterThan(0n);
}

/** What a wallet has: tokens, shares, and cTokens by what they are worth times 2^60. */
function pocket(cluster: VaultCluster, scene: VaultInstructionAccounts, owner: Address) {
  const { tokenMint, sharesMint } = scene.accounts;
  const ctokens = RESERVES.map((each) => {
    const held = cluster.balance(tokenOf(owner, scene.lending(each).reserveCollateralMint));
    return collateralValueSf(cluster, each, held);
  });
  return {
    tokens: cluster.balance(tokenOf(owner, tokenMint)) << BITS,
    ctokens: ctokens.reduce((sum, each) => sum + each, 0n),
    shares: cluster.balance(tokenOf(owner, sharesMint)),
  };
}

type Pocket = ReturnType<typeof pocket>;

/** Who buys pays the price, and who sells gets it less the penalty: to a few lamports, never more. */
function checkDeal(
  cluster: VaultCluster,
  [before, after]: readonly [Pocket, Pocket],
  price: {
    readonly assets: bigint;
    readonly issued: bigint;
    readonly askedShares: bigint | 'in kind';
  },
): void {
  const worth = (shares: bigint) => (shares * price.assets) / price.issued;
  const gain = after.tokens + after.ctokens - before.tokens - before.ctokens;
  const vault = cluster.vault(VAULT);
  const config = globalConfig.decode(cluster.get(globalConfigAddress()));
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const bps = larger(vault.withdrawalPenaltyBps, config.withdrawalPenaltyBps);
  const least = larger(vault.withdrawalPenaltyLamports, config.withdrawalPenaltyLamports) << BITS;
  // In kind it is on what is paid, else on what was asked for.
  const share =
    price.askedShares === 'in kind'
      ? (gain * bps) / (10_000n - bps)
      : (worth(price.askedShares) * bps) / 10_000n;
  const penalty = larger(share, least);
  const crank = 2n * vault.crankFundFeePerReserve;
  const cost = gain < 0n ? crank << BITS : penalty;
  const lost = worth(before.shares - after.shares) - gain - cost;
  expect(lost).toBeGreaterThan(-DUST - (1n << BITS));
  expect(lost).toBeLessThan((4n << BITS) + worth(2n));
  expect(worth(before.shares - after.shares) - gain).toBeGreaterThan(-DUST);
}

/** A known refusal, which leaves nothing. Others than these would be a surprise. */
const EXPECTED = [7000, 7004, 7013, 7026, 7038, 7039, 7040, 7045, 7049, 7050, 6008, 6064, 1];

function step(cluster: VaultCluster, scene: VaultInstructionAccounts, act: Act): boolean {
  if (act.kind === 'wait') {
    cluster.wait(act.slots);
    return true;
  }
  // Interest and fees up to now come first, so that the deal alone is seen.
  expect(cluster.run(giveUpPendingFeesInstruction(scene, ADMIN, 0n)).error).toBeUndefined();
  const assets = referenceNetAssetsSf(cluster, VAULT);
  const issued = cluster.vault(VAULT).sharesIssued;
  const owner = 'wallet' in act ? act.wallet : ADMIN;
  const before = pocket(cluster, scene, owner);
  const instruction: Instruction = asked(cluster, scene, act);
  const { error } = cluster.run(instruction);
  if (error !== undefined) {
    const code = JSON.stringify(error).match(/"Custom":(\d+)/)?.[1];
    expect(EXPECTED).toContain(Number(code));
    return false;
  }
  const left = cluster.vault(VAULT).sharesIssued;
  expect(referenceNetAssetsSf(cluster, VAULT) * issued + DUST * issued).toBeGreaterThanOrEqual(
    assets * left,
  );
  if ('wallet' in act) {
    const part = 'part' in act ? (before.shares * act.part) / 1000n : 0n;
    const askedShares = act.kind === 'inKind' ? 'in kind' : part;
    const after = pocket(cluster, scene, owner);
    checkDeal(cluster, [before, after], { assets, issued, askedShares });
  }
  return true;
}

test('property: whatever savers and keepers do, the books are right and nobody gains by it', () => {
  const golden = goldenCluster();
  let done = 0;
  fc.assert(
    fc.property(terms, fc.array(acts, { minLength: 10, maxLength: 25 }), (changes, sequence) => {
      const cluster = new VaultCluster(golden);
      cluster.changeVault(VAULT, { ...changes, minInvestDelaySlots: 10n });
      const scene = vaultInstructionAccounts(cluster, VAULT);
      const { tokenMint, sharesMint } = scene.accounts;
      for (const owner of [...WALLETS, ADMIN]) {
        cluster.fund(owner, tokenMint, 1n << 41n);
        cluster.fund(owner, sharesMint, 0n);
        for (const each of RESERVES) {
          cluster.fund(owner, scene.lending(each).reserveCollateralMint, 0n);
        }
      }
      const elsewhere = cluster.vault(VAULT).sharesIssued;
      const tokens = allTokens(cluster, scene);
      for (const act of sequence) {
        if (step(cluster, scene, act)) done++;
        checkBooks(cluster, scene, elsewhere);
        expect(allTokens(cluster, scene)).toBe(tokens);
      }
    }),
    { numRuns: 30 },
  );
  expect(done).toBeGreaterThan(100);
}, 60_000);
