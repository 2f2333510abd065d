import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { transferChecked } from '#core/protocol/spl/instructions/transfer-checked.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { compileWire, requestDecodedTransaction } from '../../support/http/decode-requests.ts';
import { startApi } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

const WALLET = toAddress('743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6');
const MAIN = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');
const JLP = toAddress('BNRFRTPpL4JqYi1Mwv55DBDYndk15hZpnBrbR91b9nzW');
const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [deposit] = goldenFlow('01-deposit-usdc-new-user.json').transactions;

const listing = (address: typeof MAIN, name: string) =>
  createRegistry({
    ...emptyRegistry,
    markets: [
      {
        address,
        programId: KLEND,
        name,
        description: '',
        isPrimary: true,
        isCurated: false,
        lookupTable: ZERO_ADDRESS,
      },
    ],
  });

async function titleOf(registry: typeof emptyRegistry): Promise<string | undefined> {
  const clusters = goldenClusters({ registry });
  const { url } = await startApi({ clusters, tokens: createStaticTokens([]) });
  return (await requestDecodedTransaction(url, deposit?.wire ?? '')).instructions[6]?.title;
}

const updates = (what: string) => `Update the interest and the price of ${what}`;

test('a market and its tokens are called what the registry says, then what its account says', async () => {
  expect(await titleOf(emptyRegistry)).toBe(updates('the USDC reserve of “Main Market”'));
  expect(await titleOf(listing(MAIN, 'Harbour'))).toBe(updates('the USDC reserve of “Harbour”'));
});

test('a market that is not listed is not believed', async () => {
  expect(await titleOf(listing(JLP, 'JLP'))).toBe(
    updates('the EPjF…Dt1v reserve of “Main Market” (a market that is not listed)'),
  );
});

/** A transfer of a token within the wallet. */
const move = (token: typeof USDC) =>
  compileWire(WALLET, [
    transferChecked.build(TOKEN_PROGRAM, {
      accounts: { source: WALLET, mint: token, destination: WALLET, authority: WALLET },
      args: { amount: 1_250n, decimals: 2 },
    }),
  ]);

const moves = (what: string) => `Send ${what} from the wallet to the wallet`;

test('a token that nobody has verified says so', async () => {
  const { url } = await startApi();
  const egem = toAddress('HDXJnHUdi11qNb2aJ4xVaAvvhgnrRVDbZ9ogw3d81ZYc');
  const { instructions } = await requestDecodedTransaction(url, move(egem));
  expect(instructions[0]?.title).toBe(moves('12.5 EGEM (not verified)'));
});

test('the decimals of a token in no list are read; one that is not there has none', async () => {
  const token = numberedAddress(1);
  const data = mint.encode({
    mintAuthorityTag: 0,
    mintAuthority: ZERO_ADDRESS,
    supply: toLamports(0n),
    decimals: 3,
    isInitialized: 1,
    freezeAuthorityTag: 0,
    freezeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  const account = { owner: TOKEN_PROGRAM, lamports: 1n, data };
  const { slot } = goldenClusters().byName(undefined).reader.at();
  const clusters = goldenClusters({
    readAccounts: async () => ({ slot, accounts: new Map([[token, account]]) }),
  });
  const { url } = await startApi({ clusters });
  const short = `${token.slice(0, 4)}…${token.slice(-4)}`;
  expect((await requestDecodedTransaction(url, move(token))).instructions[0]?.title).toBe(
    moves(`1.25 ${short}`),
  );
  const other = numberedAddress(2);
  expect((await requestDecodedTransaction(url, move(other))).instructions[0]?.title).toBe(
    moves(`1250 smallest units of the token ${other}`),
  );
});

test('a loan that is not followed is read to see whose it is', async () => {
  const still = goldenClusters().byName(undefined);
  const reader = { ...still.reader, obligation: () => undefined };
  const { url } = await startApi({ clusters: goldenClusters({ reader }) });
  const [liquidation] = goldenFlow('29-liquidate.json').transactions;
  const { instructions } = await requestDecodedTransaction(url, liquidation?.wire ?? '');
  const owner = 'CdhiqW759PckQEKxQd5h1CkQNKq2VxqVW6NDHWN3rK8v';
  expect(instructions.map(({ title }) => title)).toContain(
    `Liquidate the loan of ${owner} in “Main Market”: repay at most 1000 USDC for its collateral in SOL`,
  );
});

test('what a transaction opens is named by it', async () => {
  const { url } = await startApi();
  const [open] = goldenFlow('30-multiply-open.json').transactions;
  const { instructions } = await requestDecodedTransaction(url, open?.wire ?? '');
  expect(instructions[7]?.title).toBe(
    'Deposit 29.993402117 JitoSOL into the wallet’s loan in “Main Market” as collateral',
  );
});
