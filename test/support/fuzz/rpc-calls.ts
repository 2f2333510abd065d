import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenFlow } from '../golden/golden.ts';
import { goldenMarket, goldenReserve, goldenUser } from '../golden/golden-addresses.ts';

type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

const { address: reserve, liquiditySupply } = goldenReserve('Main Market', 'SOL');
const { address: market } = goldenMarket('Main Market');
const { address: wallet } = goldenUser('frank');
const mint = 'So11111111111111111111111111111111111111112';
const signature = '1'.repeat(64);
const wire = goldenFlow('01-deposit-usdc-new-user.json').transactions[0]?.wire ?? '';
const slice = { offset: 8, length: 40 };
const filters = [{ dataSize: 8624 }, { memcmp: { offset: 32, bytes: market, encoding: 'base58' } }];
const simulated = {
  accounts: { encoding: 'base64', addresses: [reserve] },
  innerInstructions: true,
};

/** Valid calls of all methods that read parameters, and of the control methods except for injected faults. */
export const rpcCalls: readonly RpcCall[] = [
  { method: 'getAccountInfo', params: [reserve, { encoding: 'base64', dataSlice: slice }] },
  { method: 'getAccountInfo', params: [liquiditySupply, { encoding: 'jsonParsed' }] },
  { method: 'getAccountInfo', params: [market, { encoding: 'base64+zstd', minContextSlot: 1 }] },
  { method: 'getBalance', params: [wallet, { commitment: 'confirmed' }] },
  {
    method: 'getMultipleAccounts',
    params: [[reserve, wallet], { encoding: 'base58', dataSlice: slice }],
  },
  {
    method: 'getProgramAccounts',
    params: [KLEND_PROGRAM, { filters, dataSlice: slice, withContext: true, encoding: 'base64' }],
  },
  {
    method: 'getTokenAccountsByOwner',
    params: [wallet, { programId: TOKEN_PROGRAM }, { encoding: 'jsonParsed' }],
  },
  { method: 'getTokenAccountsByOwner', params: [wallet, { mint }, { encoding: 'base64' }] },
  { method: 'getTokenAccountBalance', params: [liquiditySupply] },
  { method: 'getTokenSupply', params: [mint] },
  { method: 'getTokenLargestAccounts', params: [mint, { commitment: 'finalized' }] },
  {
    method: 'getSignaturesForAddress',
    params: [wallet, { limit: 10, before: signature, until: signature }],
  },
  { method: 'getSignatureStatuses', params: [[signature], { searchTransactionHistory: true }] },
  {
    method: 'getTransaction',
    params: [signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }],
  },
  {
    method: 'getBlock',
    params: [1, { transactionDetails: 'full', encoding: 'json', rewards: false }],
  },
  { method: 'getBlocks', params: [1, 10, { commitment: 'confirmed' }] },
  { method: 'getBlocksWithLimit', params: [1, 10] },
  { method: 'getBlockTime', params: [1] },
  { method: 'getMinimumBalanceForRentExemption', params: [165] },
  { method: 'getRecentPrioritizationFees', params: [[wallet]] },
  { method: 'getRecentPerformanceSamples', params: [5] },
  { method: 'isBlockhashValid', params: [wallet, { commitment: 'processed' }] },
  { method: 'getFeeForMessage', params: ['AQAB', { commitment: 'processed' }] },
  { method: 'requestAirdrop', params: [wallet, 1000] },
  { method: 'sendTransaction', params: [wire, { encoding: 'base64', skipPreflight: true }] },
  {
    method: 'simulateTransaction',
    params: [wire, { encoding: 'base64', replaceRecentBlockhash: true, ...simulated }],
  },
  { method: 'simulateTransaction', params: [wire, { encoding: 'base64', sigVerify: true }] },
  { method: 'tidegate_warp', params: [{ slots: 2 }] },
  { method: 'tidegate_warp', params: [{ seconds: 60 }] },
  { method: 'tidegate_setPrice', params: [reserve, '123.45'] },
  {
    method: 'tidegate_setAccount',
    params: [wallet, { owner: TOKEN_PROGRAM, lamports: 5, data: ['AAAA', 'base64'] }],
  },
  { method: 'tidegate_airdropToken', params: [wallet, mint, '1000'] },
  { method: 'tidegate_freezeReserve', params: [reserve, true] },
  { method: 'tidegate_rollBack', params: [1] },
  { method: 'tidegate_impersonate', params: [wallet, true] },
  { method: 'tidegate_setLiquidationBot', params: [true] },
  { method: 'tidegate_upgradeProgram', params: ['klend', '1.25'] },
  { method: 'tidegate_getForkedAccounts', params: [] },
  { method: 'tidegate_revert', params: ['1'] },
  { method: 'tidegate_dropSnapshot', params: ['1'] },
];
