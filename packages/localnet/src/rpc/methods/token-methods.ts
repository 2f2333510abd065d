import { type Address, addressToBytes, type KeyedAccount } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { type Mint, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { BankView } from '../../runtime/bank.ts';
import { encodeKeyedAccount, readAccountEncoding } from '../encoding/account-encoding.ts';
import {
  decodeMintIfValid,
  decodeTokenAccountIfValid,
  uiTokenAmount,
} from '../encoding/parsed-token-account.ts';
import { isObject, type Json } from '../json.ts';
import {
  invalidParamsReason,
  readAddress,
  readArguments,
  readConfigParam,
  readEnum,
} from '../params.ts';
import { bankViewFor, withContext } from '../request-context.ts';
import { invalidParam } from '../rpc-errors.ts';
import type { RpcNode } from '../rpc-node.ts';

const LARGEST = 20;
const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

export function getTokenAccountsByOwner(node: RpcNode, params: unknown): Json {
  const [key, filterParam, options] = readArguments(params, { min: 2, max: 3 });
  const owner = readAddress(key);
  const filter = readTokenFilter(filterParam);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const encoding = readAccountEncoding(config, 'binary');
  const view = bankViewFor(node, config);
  const program = filter.kind === 'mint' ? requireMint(view, filter.mint).program : filter.program;
  const fields = [
    { offset: tokenAccount.offsets.owner, bytes: addressToBytes(owner) },
    ...(filter.kind === 'mint'
      ? [{ offset: tokenAccount.offsets.mint, bytes: addressToBytes(filter.mint) }]
      : []),
  ];
  const found: Json[] = [];
  for (const keyedAccount of tokenAccountsOf(view, program)) {
    const { data } = keyedAccount.account;
    const isMatch = fields.every(({ offset, bytes }) =>
      bytes.every((byte, i) => byte === data[offset + i]),
    );
    if (isMatch) found.push(encodeKeyedAccount(keyedAccount, encoding, view));
  }
  return withContext(view, found);
}

export function getTokenAccountBalance(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const address = readAddress(key);
  const view = bankViewFor(node, readConfigParam(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  const fields = decodeTokenAccountIfValid(account);
  if (fields === undefined) throw invalidParam('not a Token account');
  const { mintFields } = requireMint(view, fields.mint);
  return withContext(view, uiTokenAmount(fields.amount, mintFields, view.time.unix));
}

export function getTokenSupply(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const address = readAddress(key);
  const view = bankViewFor(node, readConfigParam(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
  const mintFields = decodeMintIfValid(account);
  if (mintFields === undefined) throw invalidParam('mint could not be unpacked');
  return withContext(view, uiTokenAmount(mintFields.supply, mintFields, view.time.unix));
}

export function getTokenLargestAccounts(node: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const address = readAddress(key);
  const view = bankViewFor(node, readConfigParam(options, 'CommitmentConfig'));
  const { mintFields, program } = requireMint(view, address);
  const holders = [...tokenAccountsOf(view, program)]
    .map((keyedAccount) => ({
      address: keyedAccount.address,
      fields: tokenAccount.view(keyedAccount.account),
    }))
    .filter(({ fields }) => fields.mint === address)
    .map(({ address: holder, fields }) => ({ holder, amount: fields.amount }))
    .sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
  const largest = holders.slice(0, LARGEST).map(({ holder, amount }) => ({
    address: holder,
    ...uiTokenAmount(amount, mintFields, view.time.unix),
  }));
  return withContext(view, largest);
}

type TokenFilter =
  | { readonly kind: 'mint'; readonly mint: Address }
  | { readonly kind: 'program'; readonly program: Address };

function readTokenFilter(value: unknown): TokenFilter {
  const [name, ...more] = isObject(value) ? Object.keys(value) : [value];
  if (more.length > 0) throw invalidParamsReason('expected value');
  const kind = readEnum(name, ['mint', 'programId']);
  const key = isObject(value) ? value[kind] : undefined;
  if (kind === 'mint') return { kind, mint: readAddress(key) };
  const program = readAddress(key);
  if (!TOKEN_PROGRAMS.includes(program)) throw invalidParam('unrecognized Token program id');
  return { kind: 'program', program };
}

function requireMint(view: BankView, address: Address): { mintFields: Mint; program: Address } {
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find mint');
  if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
  const mintFields = decodeMintIfValid(account);
  if (mintFields === undefined) throw invalidParam('Token mint could not be unpacked');
  return { mintFields, program: account.owner };
}

/** Initialized token accounts only. */
function* tokenAccountsOf(view: BankView, program: Address): Iterable<KeyedAccount> {
  for (const keyedAccount of view.accountsOf(program)) {
    if (decodeTokenAccountIfValid(keyedAccount.account) !== undefined) yield keyedAccount;
  }
}
