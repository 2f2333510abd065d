import type { Address } from '@tidegate/core/base';
import { readFilters } from '../account-filters.ts';
import { encodeAccount, encodeKeyed, readAccountForm } from '../encoding/account-encoding.ts';
import type { Json } from '../json.ts';
import { optional, readAddress, readArguments, readConfig, readFlag, readList } from '../params.ts';
import { viewFor, withContext } from '../request-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import type { Endpoint } from '../rpc-node.ts';

const MAX_ADDRESSES = 100;

export function getAccountInfo(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfig(options, 'RpcAccountInfoConfig');
  const address = readAddress(key);
  const form = readAccountForm(config, 'binary');
  const view = viewFor(endpoint, config);
  const account = view.account(address);
  return withContext(view, account ? encodeAccount({ address, account }, form, view) : null);
}

export function getMultipleAccounts(endpoint: Endpoint, params: unknown): Json {
  const [keys, options] = readArguments(params, { least: 1, most: 2 });
  const given = readList(keys);
  const config = readConfig(options, 'RpcAccountInfoConfig');
  if (given.length > MAX_ADDRESSES) {
    throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
  }
  const addresses = given.map(readAddress);
  const form = readAccountForm(config, 'base64');
  const view = viewFor(endpoint, config);
  const encoded = addresses.map((address: Address): Json => {
    const account = view.account(address);
    return account === undefined ? null : encodeAccount({ address, account }, form, view);
  });
  return withContext(view, encoded);
}

export function getProgramAccounts(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfig(options, 'RpcProgramAccountsConfig');
  const program = readAddress(key);
  const form = readAccountForm(config, 'binary');
  const accepts = readFilters(config);
  const hasContext = optional(config['withContext'], readFlag) ?? false;
  const view = viewFor(endpoint, config);
  const found: Json[] = [];
  for (const named of view.accountsOf(program)) {
    if (accepts(named.account)) found.push(encodeKeyed(named, form, view));
  }
  return hasContext ? withContext(view, found) : found;
}

export function getBalance(endpoint: Endpoint, params: unknown): Json {
  const [key, options] = readArguments(params, { least: 1, most: 2 });
  const config = readConfig(options, 'RpcContextConfig');
  const address = readAddress(key);
  const view = viewFor(endpoint, config);
  return withContext(view, view.account(address)?.lamports ?? 0n);
}
