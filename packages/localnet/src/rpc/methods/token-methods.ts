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

export function getTokenAccountsByOwner(endpoint: RpcNode, params: unknown): Json {
  const [key, wanted, options] = readArguments(params, { least: 2, most: 3 });
  const owner = readAddress(key);
  const filter = readTokenFilter(wanted);
  const config = readConfigParam(options, 'RpcAccountInfoConfig');
  const form = readAccountEncoding(config, 'binary');
  const view = bankViewFor(endpoint, config);
  const program = filter.kind === 'mint' ? mintOf(view, filter.mint).program : filter.program;
  const fields = [
    { offset: tokenAccount.offsets.owner, bytes: addressToBytes(owner) },
    ...(filter.kind === 'mint'
      ? [{ offset: tokenAccount.offsets.mint, bytes: addressToBytes(filter.mint) }]
      : []),
  ];
  const found: Json[] = [];
  for (const named of tokenAccountsOf(view, program)) {
    const { data } = named.account;
    const fits = fields.every(({ offset, bytes }) =>
      bytes.every((byte, i) => byte === data[offset + i]),
    );
    if (fits) found.push(encodeKeyedAccount(named, form, view));
  }
  return withContext(view, found);
}

export function getTokenAccountBalance(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = bankViewFor(endpoint, readConfigParam(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  const fields = decodeTokenAccountIfValid(account);
  if (fields === undefined) throw invalidParam('not a Token account');
  const { of } = mintOf(view, fields.mint);
  return withContext(view, uiTokenAmount(fields.amount, of, view.time.unix));
}

export function getTokenSupply(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = bankViewFor(endpoint, readConfigParam(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
  const of = decodeMintIfValid(account);
  if (of === undefined) throw invalidParam('mint could not be unpacked');
  return withContext(view, uiTokenAmount(of.supply, of, view.time.unix));
}

export function getTokenLargestAccounts(endpoint: RpcNode, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = bankViewFor(endpoint, readConfigParam(options, 'CommitmentConfig'));
  const { of, program } = mintOf(view, address);
  const holders = [...tokenAccountsOf(view, program)]
    .map((named) => ({ address: named.address, fields: tokenAccount.view(named.account) }))
    .filter(({ fields }) => fields.mint === address)
    .map(({ address: holder, fields }) => ({ holder, amount: fields.amount }))
    .sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
  const largest = holders.slice(0, LARGEST).map(({ holder, amount }) => ({
    address: holder,
    ...uiTokenAmount(amount, of, view.time.unix),
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

function mintOf(view: BankView, address: Address): { of: Mint; program: Address } {
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find mint');
  if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
  const of = decodeMintIfValid(account);
  if (of === undefined) throw invalidParam('Token mint could not be unpacked');
  return { of, program: account.owner };
}

/** Those in use: a wallet's view of a closed or unfinished account is none. */
function* tokenAccountsOf(view: BankView, program: Address): Iterable<KeyedAccount> {
  for (const named of view.accountsOf(program)) {
    if (decodeTokenAccountIfValid(named.account) !== undefined) yield named;
  }
}
