import { type Address, addressToBytes, type NamedAccount } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { type Mint, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { BankView } from '../../runtime/bank.ts';
import { encodeKeyed, readAccountForm } from '../encoding/account-encoding.ts';
import { readMint, readTokenAccount, uiTokenAmount } from '../encoding/parsed-token-account.ts';
import { isObject, type Json } from '../json.ts';
import { badParams, readAddress, readArguments, readConfig, readOneOf } from '../params.ts';
import { viewFor, withContext } from '../request-context.ts';
import { invalidParam } from '../rpc-errors.ts';
import type { Endpoint } from '../rpc-node.ts';

const LARGEST = 20;
const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

export function getTokenAccountsByOwner(endpoint: Endpoint, params: unknown): Json {
  const [key, wanted, options] = readArguments(params, { least: 2, most: 3 });
  const owner = readAddress(key);
  const filter = readTokenFilter(wanted);
  const config = readConfig(options, 'RpcAccountInfoConfig');
  const form = readAccountForm(config, 'binary');
  const view = viewFor(endpoint, config);
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
    if (fits) found.push(encodeKeyed(named, form, view));
  }
  return withContext(view, found);
}

export function getTokenAccountBalance(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = viewFor(endpoint, readConfig(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  const fields = readTokenAccount(account);
  if (fields === undefined) throw invalidParam('not a Token account');
  const { of } = mintOf(view, fields.mint);
  return withContext(view, uiTokenAmount(fields.amount, of, view.time.unix));
}

export function getTokenSupply(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = viewFor(endpoint, readConfig(options, 'CommitmentConfig'));
  const account = view.account(address);
  if (account === undefined) throw invalidParam('could not find account');
  if (!TOKEN_PROGRAMS.includes(account.owner)) throw invalidParam('not a Token mint');
  const of = readMint(account);
  if (of === undefined) throw invalidParam('mint could not be unpacked');
  return withContext(view, uiTokenAmount(of.supply, of, view.time.unix));
}

export function getTokenLargestAccounts(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const address = readAddress(key);
  const view = viewFor(endpoint, readConfig(options, 'CommitmentConfig'));
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
  if (more.length > 0) throw badParams('expected value');
  const kind = readOneOf(name, ['mint', 'programId']);
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
  const of = readMint(account);
  if (of === undefined) throw invalidParam('Token mint could not be unpacked');
  return { of, program: account.owner };
}

/** Those in use: a wallet's view of a closed or unfinished account is none. */
function* tokenAccountsOf(view: BankView, program: Address): Iterable<NamedAccount> {
  for (const named of view.accountsOf(program)) {
    if (readTokenAccount(named.account) !== undefined) yield named;
  }
}
