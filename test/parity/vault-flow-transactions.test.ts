import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import { u64Seed } from '#core/base/solana/pda.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { viewTransaction } from '#core/views/transactions/transaction-view.ts';
import { type GoldenFlow, goldenFlow } from '../support/golden/golden.ts';

/** The token changes of a flow. The mint and owner of an account determine its role. */
function tokenChangesOf(flow: GoldenFlow) {
  const [user] = signersOf(flow);
  const [vaultEntry] = [...flow.before].filter(([, raw]) => raw && vaultState.matches(raw));
  const vault = vaultEntry?.[1] && vaultState.view(vaultEntry[1]);
  if (vault === undefined || user === undefined) throw new Error('no vault, or no user');
  const accounts = [...new Set([...flow.before.keys(), ...flow.after.keys()])].flatMap(
    (address) => {
      const [before, after] = [flow.before.get(address), flow.after.get(address)];
      const raw = after ?? before;
      if (raw === undefined || !tokenAccount.matches(raw)) return [];
      const { mint, owner } = tokenAccount.view(raw);
      const amountOf = (state: typeof raw | undefined) =>
        state === undefined ? 0n : tokenAccount.view(state).amount;
      return [{ address, mint, owner, change: amountOf(after) - amountOf(before) }];
    },
  );
  const find = (mint: Address, matches: (owner: Address) => boolean) => {
    const found = accounts.find((each) => each.mint === mint && matches(each.owner));
    if (found === undefined) throw new Error('a token account is missing');
    return found;
  };
  const isUser = (owner: Address) => owner === user;
  const isOther = (owner: Address) => owner !== user;
  return {
    user,
    userTokens: find(vault.tokenMint, isUser),
    vaultTokens: find(vault.tokenMint, isOther),
    userShares: find(vault.sharesMint, isUser),
    farmShares: () => find(vault.sharesMint, isOther),
    sharesMint: vault.sharesMint,
  };
}

function wireOf(flow: GoldenFlow): Uint8Array {
  return Uint8Array.from(Buffer.from(flow.transactions[0]?.wire ?? '', 'base64'));
}

const signersOf = (flow: GoldenFlow): readonly Address[] => {
  const { staticKeys, header } = decodeWireTransaction(wireOf(flow)).message;
  return staticKeys.slice(0, header.numRequiredSignatures);
};

type TokenMove = { readonly start: string; readonly accounts: Address[]; readonly amount: bigint };

/** The golden vault program is a model, so its calls are synthesized with the recorded amounts. */
function responseOf(
  flow: GoldenFlow,
  calls: Readonly<Record<number, readonly TokenMove[]>>,
): unknown {
  const { staticKeys } = decodeWireTransaction(wireOf(flow)).message;
  const index = (address: Address) => staticKeys.indexOf(address);
  const form = ({ start, accounts, amount }: TokenMove) => ({
    programIdIndex: index(TOKEN_PROGRAM),
    accounts: accounts.map(index),
    data: encodeBase58(concatBytes([bytesFromHex(start), u64Seed(amount)])),
    stackHeight: 2,
  });
  const innerInstructions = Object.entries(calls).map(([index, moved]) => ({
    index: Number(index),
    instructions: moved.map(form),
  }));
  return {
    slot: Number(flow.at.slot),
    version: 0,
    meta: { err: null, fee: 5000, innerInstructions, logMessages: [] },
    transaction: [flow.transactions[0]?.wire, 'base64'],
  };
}

const transfer = (source: Address, destination: Address, amount: bigint): TokenMove => ({
  start: '03',
  accounts: [source, destination, source],
  amount,
});
const mintTo = (mint: Address, account: Address, amount: bigint): TokenMove => ({
  start: '07',
  accounts: [mint, account, account],
  amount,
});
const burn = (mint: Address, account: Address, amount: bigint): TokenMove => ({
  start: '08',
  accounts: [account, mint, account],
  amount,
});

test('a vault deposit matches the changed accounts', () => {
  const flow = goldenFlow('47-vault-deposit-usdc-no-stake.json');
  const { user, userTokens, vaultTokens, userShares, sharesMint } = tokenChangesOf(flow);
  const view = viewTransaction(
    responseOf(flow, {
      1: [
        transfer(userTokens.address, vaultTokens.address, vaultTokens.change),
        mintTo(sharesMint, userShares.address, userShares.change),
      ],
    }),
  );
  expect(-userTokens.change).toBe(777_123_456n);
  expect(view.events).toMatchObject([
    {
      program: 'kvault',
      kind: 'deposit',
      user,
      tokenAmount: 777_123_456n,
      sharesAmount: userShares.change,
    },
  ]);
});

test('a deposit with staking moves the shares to the farm', () => {
  const flow = goldenFlow('40-vault-deposit-usdc-and-stake.json');
  const { user, userTokens, vaultTokens, userShares, farmShares, sharesMint } =
    tokenChangesOf(flow);
  const staked = farmShares().change;
  const minted = staked + userShares.change;
  const view = viewTransaction(
    responseOf(flow, {
      1: [
        transfer(userTokens.address, vaultTokens.address, vaultTokens.change),
        mintTo(sharesMint, userShares.address, minted),
      ],
      3: [transfer(userShares.address, farmShares().address, staked)],
    }),
  );
  expect(view.events).toMatchObject([
    { kind: 'deposit', user, tokenAmount: 5_000_000_000n, sharesAmount: 4_998_711_158n },
    { program: 'farms', kind: 'stake', owner: user, amount: 24_998_711_158n },
  ]);
});

test('a withdrawal unstakes, withdraws and burns staked shares', () => {
  const flow = goldenFlow('42-vault-withdraw-usdc-part.json');
  const { user, userTokens, vaultTokens, userShares, farmShares, sharesMint } =
    tokenChangesOf(flow);
  const shares = -farmShares().change;
  const view = viewTransaction(
    responseOf(flow, {
      2: [transfer(farmShares().address, userShares.address, shares)],
      4: [
        burn(sharesMint, userShares.address, shares),
        transfer(vaultTokens.address, userTokens.address, userTokens.change),
      ],
    }),
  );
  expect(-vaultTokens.change).toBe(userTokens.change);
  expect(view.events).toMatchObject([
    { kind: 'unstake', owner: user, requestedSharesScaled: 1_200_000_000n * 10n ** 18n },
    { kind: 'withdrawUnstaked', owner: user, amount: 1_200_000_000n },
    {
      program: 'kvault',
      kind: 'withdraw',
      user,
      tokenAmount: 1_200_312_545n,
      sharesAmount: 1_200_000_000n,
      reserve: undefined,
    },
  ]);
});
